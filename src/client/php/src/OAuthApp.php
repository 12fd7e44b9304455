<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/** An app at the authorization server: connects stores, refreshes tokens, ends connections. */
final class OAuthApp
{
    private readonly Sender $sender;
    private readonly string $issuer;

    /** @var array<string, AppCredentials> */
    private array $credentials = [];

    public function __construct(
        public readonly string $clientId,
        public readonly string $redirectUri,
        public readonly TokenStore $tokenStore,
        string $baseUrl = Operations::DEFAULT_URL,
        ?string $issuer = null,
        int $retries = 4,
        float $timeout = 30,
        ?string $caFile = null,
    ) {
        KeyCredentials::check('clientId', $clientId, 'X-Partner-Client-ID');
        $this->sender = new Sender($baseUrl, $retries, $timeout, $caFile);
        $this->issuer = $issuer ?? $this->sender->origin;
    }

    /**
     * Returns the address for the merchant's browser, with PKCE, and what must be kept until they come back.
     *
     * @param list<string> $scopes
     * @return array{string, array{state: string, verifier: string, redirect_uri: string}}
     */
    public function authorizeUrl(array $scopes = []): array
    {
        $random = fn (): string => self::base64url(random_bytes(32));
        $kept = ['state' => $random(), 'verifier' => $random(), 'redirect_uri' => $this->redirectUri];
        $query = [
            'response_type' => 'code',
            'client_id' => $this->clientId,
            'redirect_uri' => $this->redirectUri,
            'state' => $kept['state'],
            'code_challenge' => self::base64url(hash('sha256', $kept['verifier'], true)),
            'code_challenge_method' => 'S256',
            'scope' => $scopes === [] ? null : implode(' ', $scopes),
        ];
        return ["{$this->sender->origin}/oauth/authorize?" . http_build_query($query), $kept];
    }

    /**
     * Exchanges the code that the merchant brings back, and stores the tokens. An older connection is ended.
     *
     * @return array{store: string, scopes: list<string>, tokens: array}
     */
    public function exchange(string $callbackUrl, ?array $kept): array
    {
        $form = [
            'grant_type' => 'authorization_code',
            'client_id' => $this->clientId,
            'code' => $this->readCallback($callbackUrl, $kept),
            'redirect_uri' => $kept['redirect_uri'] ?? '',
            'code_verifier' => $kept['verifier'] ?? '',
        ];
        $asked = microtime(true);
        // The second use of a code ends the connection, so a lost answer means to start again.
        $answer = $this->sender->postForm('/oauth/token', fn (): array => $form, false);
        $tokens = AppCredentials::tokensOf($answer, $asked);
        [$store, $scope] = [$answer['merchant'] ?? '', $answer['scope'] ?? null];
        if ($store === '' || !is_string($scope)) {
            throw AppCredentials::noTokens();
        }
        $older = $this->change($store, fn (): array => $tokens);
        try {
            $this->revoke($older);
        } catch (ApiError) {
            // The new connection is stored; an older one that cannot be ended now does no harm.
        }
        return ['store' => $store, 'scopes' => explode(' ', $scope), 'tokens' => $tokens];
    }

    /** Returns the client of a connected store. Clients of one app share connections and refreshes. */
    public function client(string $store, array $headers = [], bool $strict = false): Client
    {
        $credentials = $this->credentials[$store] ??= new AppCredentials($this, $this->sender, $store);
        return new Client($store, headers: $headers, strict: $strict, app: [$this->sender, $credentials]);
    }

    /** Asks the service whether a connection lives. The tokens of one that has ended are deleted. */
    public function isConnected(string $store): bool
    {
        while (($tokens = $this->tokenStore->get($store)) !== null) {
            try {
                $this->client($store)->request('POST', '/auth/me');
                return true;
            } catch (ApiError $error) {
                if (!in_array($error->code, ['invalid_grant', 'not_connected'], true)) {
                    throw $error;
                }
            }
            $this->tokenStore->compareAndSet($store, $tokens, null);
        }
        return false;
    }

    /** Ends the connection to a store, then deletes its tokens. May be repeated. */
    public function uninstall(string $store): void
    {
        // First at the service: if the process dies between, the tokens still say what is to be ended.
        $this->change($store, function (?array $tokens): ?array {
            $this->revoke($tokens);
            return null;
        });
    }

    private function readCallback(string $callbackUrl, ?array $kept): string
    {
        $answer = [];
        foreach (explode('&', (string) parse_url($callbackUrl, PHP_URL_QUERY)) as $part) {
            [$name, $value] = array_map(urldecode(...), explode('=', $part, 2) + [1 => '']);
            if (isset($answer[$name]) && in_array($name, ['state', 'iss', 'error', 'error_description', 'code'], true)) {
                throw ApiError::of('invalid_callback', "$name is twice.");
            }
            $answer[$name] = $value;
        }
        $state = $kept['state'] ?? '';
        if ($state === '' || !hash_equals($state, $answer['state'] ?? '')) {
            throw ApiError::of('state_mismatch', "The answer is not that of this browser's authorization. Start again.");
        }
        if (($answer['iss'] ?? $this->issuer) !== $this->issuer) {
            throw ApiError::of('issuer_mismatch', 'Another authorization server answered. Check issuer and baseUrl.');
        }
        if (isset($answer['error'])) {
            throw ApiError::of($answer['error'], $answer['error_description'] ?? 'The authorization server refused.');
        }
        return ($answer['code'] ?? '') ?: throw ApiError::of('invalid_callback', 'The address has no code.');
    }

    /** Replaces the stored tokens, and returns those before. */
    private function change(string $store, callable $nextOf): ?array
    {
        for ($count = 0; $count < 5; $count += 1) {
            $before = $this->tokenStore->get($store);
            $following = $nextOf($before);
            if ($before === $following || $this->tokenStore->compareAndSet($store, $before, $following)) {
                return $before;
            }
        }
        throw new \RuntimeException("compareAndSet refused five times for $store. Check the token store.");
    }

    private function revoke(?array $tokens): void
    {
        if ($tokens !== null) {
            $form = ['client_id' => $this->clientId, 'token' => $tokens['refresh_token']];
            $this->sender->postForm('/oauth/revoke', fn (): array => $form, true);
        }
    }

    private static function base64url(string $bytes): string
    {
        return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    }
}
