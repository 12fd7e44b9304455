<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/** Sends requests without credentials. Connections are kept for later requests of the process. */
final class Sender
{
    public readonly string $origin;
    private ?\CurlMultiHandle $kept = null;
    private int $process = 0;

    public function __construct(
        string $baseUrl,
        private readonly int $retries = 4,
        private readonly float $timeout = 30,
        private readonly ?string $caFile = null,
    ) {
        $this->origin = preg_replace('#/v2$#', '', rtrim($baseUrl, '/'));
        if (!preg_match('#^https?://[\w[]#', $this->origin)) {
            throw new \InvalidArgumentException('baseUrl must be an address such as https://api.example.com.');
        }
    }

    /**
     * Makes one attempt, and returns the answer of a success. No redirect is followed: it would take the credentials along.
     *
     * @param array<string, string> $headers
     */
    public function attempt(
        string $method,
        string $path,
        array $headers,
        ?string $body = null,
        ?float $timeout = null,
        bool $isStream = false,
        bool $isList = false,
        bool $isNew = false,
    ): Response {
        $timeout ??= $this->timeout;
        $lines = ['Expect:'];
        foreach ($headers + ['Content-Type' => ''] as $name => $value) {
            if (preg_match('/[\r\n\0]/', "$name$value")) {
                throw new \InvalidArgumentException("The header $name has a line break.");
            }
            $lines[] = "$name: $value";
        }
        $options = [
            CURLOPT_URL => $this->origin . $path,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1,
            CURLOPT_CONNECTTIMEOUT_MS => (int) ceil($timeout * 1000),
            CURLOPT_FRESH_CONNECT => $isNew,
            CURLOPT_SUPPRESS_CONNECT_HEADERS => true,
        ];
        if ($body !== null || $method === 'POST' || $method === 'PUT') {
            $options[CURLOPT_POSTFIELDS] = $body ?? '';
        }
        if (str_starts_with($this->origin, 'http:')) {
            $options[CURLOPT_PROXY] = '';
        }
        if ($this->caFile !== null) {
            $options[CURLOPT_CAINFO] = $this->caFile;
        }
        $multi = $isStream ? curl_multi_init() : $this->connections();
        $exchange = new Exchange($multi, $options, $timeout);
        $isOpen = false;
        try {
            $exchange->head();
            $isOk = $exchange->status >= 200 && $exchange->status < 300;
            if ($isOpen = $isOk && $isStream) {
                return new Response(self::linesOf($exchange), $exchange->status, $exchange->headers);
            }
            $text = $exchange->rest();
        } finally {
            if (!$isOpen) {
                $exchange->close();
            }
        }
        [$status, $headers] = [$exchange->status, $exchange->headers];
        $isJson = str_starts_with($headers['content-type'] ?? '', 'application/json');
        // A refusal may have no body.
        $value = $isJson && ($text !== '' || $isOk) ? self::parse($text) : $text;
        // A list without a match is a 404 with its empty data.
        if ($isOk || ($isList && $status === 404 && is_array($value) && array_key_exists('data', $value))) {
            return new Response($value, $status, $headers);
        }
        throw ApiError::ofAnswer($status, $headers, is_array($value) ? $value : []);
    }

    /** Makes attempts until one succeeds, or fails in a way that the next one would, too. */
    public function repeat(callable $attempt, ?callable $mayRepeat = null): Response
    {
        for ($count = 1; true; $count += 1) {
            try {
                return $attempt();
            } catch (ApiError $error) {
                $isAllowed = $count <= $this->retries && ($mayRepeat === null || $mayRepeat($error));
                $wait = $isAllowed ? self::waitBefore($error, $count) : null;
                if ($wait === null) {
                    throw $error;
                }
            }
            usleep((int) ($wait * 1_000_000));
        }
    }

    /** Posts a form to the authorization server. A refusal for now is always repeated. */
    public function postForm(string $path, callable $fields, bool $isRepeatable): array
    {
        $answer = $this->repeat(
            fn (): Response => $this->attempt(
                'POST',
                $path,
                headers: ['Content-Type' => 'application/x-www-form-urlencoded'],
                body: http_build_query($fields()),
                timeout: min($this->timeout, 10),
                // On a kept connection that has ended, curl itself would send a form again.
                isNew: true,
            ),
            fn (ApiError $error): bool => $isRepeatable || in_array($error->status, [429, 503], true),
        );
        return is_array($answer->data) ? $answer->data : [];
    }

    /** Parses JSON. One that was cut off is a failure on the way. */
    public static function parse(string $text): mixed
    {
        try {
            return json_decode($text, true, flags: JSON_THROW_ON_ERROR);
        } catch (\JsonException) {
            throw ApiError::of('network', 'No complete answer came (no JSON). Check the network and baseUrl.');
        }
    }

    /** The connections of this process: a child must not use those of its parent. */
    private function connections(): \CurlMultiHandle
    {
        if ($this->kept === null || $this->process !== getmypid()) {
            [$this->kept, $this->process] = [curl_multi_init(), getmypid()];
        }
        return $this->kept;
    }

    private static function linesOf(Exchange $exchange): \Generator
    {
        try {
            while (($line = $exchange->line()) !== null) {
                yield $line;
            }
        } finally {
            $exchange->close();
        }
    }

    /** Returns the seconds before the next attempt; null if there should be none. */
    private static function waitBefore(ApiError $error, int $count): ?float
    {
        $isTransient = in_array($error->code, ['network', 'timeout', 'request_under_way'], true)
            || in_array($error->status, [429, 502, 503, 504], true);
        $asked = self::secondsOf($error->headers['retry-after'] ?? '');
        // A wait of more than a minute is left to the caller.
        if (!$isTransient || $asked > 60) {
            return null;
        }
        $backoff = min(0.25 * 2 ** ($count - 1), 8);
        return max($asked, $backoff / 2) + random_int(0, 1000) / 1000 * $backoff / 2;
    }

    /** Reads `Retry-After`: seconds or a date. */
    private static function secondsOf(string $value): float
    {
        return preg_match('/^\d+$/D', $value) ? (float) $value : (float) ((strtotime($value) ?: time()) - time());
    }
}
