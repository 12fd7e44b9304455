<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/** Tokens of one store. New ones are not used before they are stored. */
final class AppCredentials
{
    /** Tokens in use. */
    private ?array $tokens = null;

    /** @var array{array, array}|null Stored tokens and their successor, which is not stored yet. */
    private ?array $unsaved = null;

    /** @var array{string, ApiError}|null The refresh token that was refused, with its error. */
    private ?array $ended = null;

    public function __construct(
        private readonly OAuthApp $app,
        private readonly Sender $sender,
        private readonly string $store,
    ) {
    }

    public function headers(): array
    {
        if ($this->unsaved !== null || $this->tokens === null || self::isExpiring($this->tokens)) {
            try {
                $this->refresh();
            } catch (ApiError $error) {
                // A service that cannot refresh now may still accept the token that has not expired.
                if ($this->ended !== null || $this->tokens === null || self::isExpiring($this->tokens, 0)) {
                    throw $error;
                }
            }
        }
        return ['Authorization' => $this->bearer(), 'X-Partner-Client-ID' => $this->app->clientId];
    }

    public function renew(array $refused, ApiError $_error): void
    {
        if ($this->tokens !== null && $refused['Authorization'] === $this->bearer()) {
            $this->refresh();
        }
    }

    /** Returns the tokens of an answer to a request of that time. */
    public static function tokensOf(array $answer, float $asked): array
    {
        [$access, $refresh] = [$answer['access_token'] ?? null, $answer['refresh_token'] ?? null];
        $seconds = $answer['expires_in'] ?? null;
        if (!$access || !$refresh || !is_numeric($seconds)) {
            throw self::noTokens();
        }
        return ['access_token' => $access, 'refresh_token' => $refresh, 'expires_at' => $asked + $seconds];
    }

    public static function noTokens(): ApiError
    {
        return ApiError::of('unexpected_answer', 'The answer has no tokens. Check baseUrl.');
    }

    public function __debugInfo(): array
    {
        return ['store' => $this->store];
    }

    private function bearer(): string
    {
        return 'Bearer ' . KeyCredentials::check('access_token', $this->tokens['access_token'] ?? null, 'Authorization');
    }

    /** Takes what another process has stored, or else refreshes. The same refresh token gets the same successor. */
    private function refresh(): void
    {
        if ($this->unsaved === null) {
            [$before, $stored] = [$this->tokens, $this->read()];
            $this->tokens = $stored;
            $isNews = $before === null || $before['access_token'] !== $stored['access_token'];
            if ($isNews && !self::isExpiring($stored)) {
                return;
            }
            $following = $this->successorOf($stored['refresh_token']);
            if ($following === null) {
                $this->tokens = $this->read();
                return;
            }
            $this->unsaved = [$stored, $following];
        }
        [$expected, $following] = $this->unsaved;
        $isStored = $this->app->tokenStore->compareAndSet($this->store, $expected, $following);
        $this->unsaved = null;
        $this->tokens = $isStored ? $following : $this->read();
    }

    private function read(): array
    {
        $stored = $this->app->tokenStore->get($this->store);
        if ($stored === null) {
            $this->tokens = null;
            throw ApiError::of('not_connected', "There are no tokens of {$this->store}. Ask the merchant to connect it.");
        }
        return $stored;
    }

    /** Returns new tokens, or null if another process has stored others meanwhile. */
    private function successorOf(string $refreshToken): ?array
    {
        if ($this->ended !== null && $this->ended[0] === $refreshToken) {
            throw $this->ended[1];
        }
        [$this->ended, $asked] = [null, null];
        $fields = function () use ($refreshToken, &$asked): array {
            // A repetition may come late. Then a token whose successor is in use would end the connection.
            if ($asked !== null && $this->read()['refresh_token'] !== $refreshToken) {
                throw ApiError::of('overtaken', 'Other tokens were stored.');
            }
            $asked ??= microtime(true);
            return ['grant_type' => 'refresh_token', 'client_id' => $this->app->clientId, 'refresh_token' => $refreshToken];
        };
        try {
            return self::tokensOf($this->sender->postForm('/oauth/token', $fields, true), $asked);
        } catch (ApiError $error) {
            $isRefused = $error->status >= 400 && $error->status < 429;
            if (($isRefused || $error->code === 'overtaken') && $this->read()['refresh_token'] !== $refreshToken) {
                return null;
            }
            if ($isRefused) {
                $this->ended = [$refreshToken, $error];
            }
            throw $error;
        }
    }

    private static function isExpiring(array $tokens, float $leeway = 30): bool
    {
        $at = $tokens['expires_at'] ?? INF;
        // The TypeScript client stores milliseconds.
        return microtime(true) > ($at > 1e11 && $at < INF ? $at / 1000 : $at) - $leeway;
    }
}
