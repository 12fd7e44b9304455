<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/**
 * Deliveries of webhooks, of a store or of an app.
 *
 * @phpstan-import-type WebhookEvent from Records
 */
final class Webhooks
{
    /**
     * Checks that a delivery is genuine and recent, and returns its event. With several secrets, any may have signed.
     *
     * @param array<string, string|list<string>> $headers
     * @param string $body as it was received
     * @param string|list<string> $secret
     * @return WebhookEvent
     */
    public static function verify(
        array $headers,
        mixed $body,
        string|array $secret,
        float $toleranceSeconds = 300,
    ): array {
        return Dates::decode(self::verifyAppEvent(...func_get_args()));
    }

    /** The same for the webhook of an app. Its times have no zone, and stay texts. */
    public static function verifyAppEvent(
        array $headers,
        mixed $body,
        string|array $secret,
        float $toleranceSeconds = 300,
    ): array {
        if (!is_string($body)) {
            throw self::refusal('Pass the body as it was received, before anything parses it.');
        }
        $header = function (string $pattern) use ($headers): string {
            $fitting = array_filter($headers, fn (string $name): bool => (bool) preg_match("/^$pattern$/Di", $name), ARRAY_FILTER_USE_KEY);
            return implode(' ', array_merge(...array_map(fn (string|array $value): array => (array) $value, array_values($fitting))));
        };
        [$eventId, $timestamp] = [$header('webhook-id'), $header('webhook-timestamp')];
        preg_match_all('/(?<!\S)v1,(\S*)/', $header('webhook-signature'), $found);
        $signatures = $found[1];
        $plain = self::words($header('x-.+-hmac-sha256(-next|-previous)?'));
        if ($signatures !== []) {
            if (!preg_match('/^[0-9]{1,12}$/D', $timestamp)) {
                throw self::refusal('webhook-timestamp is missing.');
            }
            $age = microtime(true) - (int) $timestamp;
            if (abs($age) > $toleranceSeconds) {
                throw self::refusal('The delivery was signed ' . round($age) . ' seconds ago. Check the clock.');
            }
            self::requireMatch("$eventId.$timestamp.$body", $signatures, array_map(self::keyOf(...), (array) $secret));
        } elseif ($plain !== [] && $toleranceSeconds === INF) {
            self::requireMatch($body, $plain, (array) $secret);
        } else {
            throw self::refusal('webhook-signature is missing. Pass the headers of the delivery as they came.');
        }
        [$epoch, $number] = explode('.', $header('x-.+-sequence')) + ['', ''];
        return [
            ...Sender::parse($body),
            'id' => $eventId ?: $header('x-.+-event-id'),
            'sequence' => ['epoch' => (int) $epoch, 'number' => (int) $number],
            'attempt' => (int) ($header('x-.+-attempt') ?: 1),
            'changed' => self::words(strtr($header('x-.+-changed'), ',', ' ')),
        ];
    }

    /** Throws unless one of the signatures is that of one of the keys. Compares in constant time. */
    private static function requireMatch(string $content, array $signatures, array $keys): void
    {
        $isGenuine = false;
        foreach ($keys as $key) {
            $expected = base64_encode(hash_hmac('sha256', $content, $key, true));
            foreach (array_slice($signatures, 0, 10) as $signature) {
                $isGenuine = hash_equals($expected, $signature) || $isGenuine;
            }
        }
        if (!$isGenuine) {
            throw self::refusal('No signature fits. Check that the secret is that of this webhook.');
        }
    }

    /** The key of the Standard Webhooks signature: the bytes that the secret encodes. */
    private static function keyOf(string $secret): string
    {
        $isPrefixed = preg_match('/^whsec_(.+)$/D', $secret, $at);
        $key = $isPrefixed ? base64_decode($at[1], true) : false;
        return $key !== false ? $key : throw self::refusal('The secret must be that of the webhook: whsec_ and base64.');
    }

    /** @return list<string> */
    private static function words(string $text): array
    {
        return preg_split('/\s+/', $text, flags: PREG_SPLIT_NO_EMPTY);
    }

    private static function refusal(string $hint): ApiError
    {
        return ApiError::of('signature', $hint);
    }
}
