<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/** Sends requests with credentials. */
final class Transport
{
    private const CONDITIONS = ['idempotencyKey' => 'Idempotency-Key', 'ifMatch' => 'If-Match', 'ifNoneMatch' => 'If-None-Match'];
    private const OPTIONS = ['headers', 'timeout', 'contentType', 'body', 'isStream', 'isList'];

    public function __construct(
        private readonly Sender $sender,
        private readonly KeyCredentials|AppCredentials $credentials,
        private readonly array $headers,
        private readonly bool $strict,
    ) {
    }

    /** Sends a request until it succeeds or fails for good. A 401 of an app is answered by one refresh. */
    public function send(string $method, string $path, array $options): Response
    {
        $unknown = array_diff(array_keys($options), self::OPTIONS, array_keys(self::CONDITIONS));
        if ($unknown !== []) {
            throw new \InvalidArgumentException('There is no option ' . implode(', ', $unknown) . '.');
        }
        // Percent signs of a path that is encoded stay.
        $path = preg_replace_callback('~[^!#$%&\'()*+,/:;=?@\[\]\~\w.-]~', fn (array $at): string => rawurlencode($at[0]), $path);
        $isRead = in_array($method, ['GET', 'QUERY'], true);
        // Servers and proxies before the service may refuse a longer address. A list answers QUERY (RFC 10008) as GET.
        if ($method === 'GET' && !isset($options['body']) && strlen($path) > 4000) {
            [$path, $options['body']] = [...explode('?', $path, 2), ''];
            $options['contentType'] = 'application/x-www-form-urlencoded';
        }
        $verb = $method === 'GET' && isset($options['body']) ? 'QUERY' : $method;
        $sent = [
            'Accept' => 'application/json, application/x-ndjson',
            'User-Agent' => 'online-store-administration-php/' . Operations::VERSION,
            'Content-Type' => $options['contentType'] ?? '',
            'Prefer' => $this->strict ? 'handling=strict' : '',
            // One key for all attempts, so that a change is made once.
            'Idempotency-Key' => $isRead ? '' : bin2hex(random_bytes(16)),
        ];
        foreach (self::CONDITIONS as $option => $header) {
            $sent[$header] = $options[$option] ?? $sent[$header] ?? '';
        }
        $sent = array_filter([...$sent, ...$this->headers, ...($options['headers'] ?? [])], strlen(...));
        $sending = array_diff_key($options, self::CONDITIONS, ['headers' => 0, 'contentType' => 0]);
        for ($isRenewed = false; true; $isRenewed = true) {
            $credentials = $this->credentials->headers();
            try {
                return $this->sender->repeat(fn (): Response => $this->sender->attempt(
                    $verb,
                    $path,
                    ...$sending,
                    headers: [...$sent, ...$credentials],
                ));
            } catch (ApiError $error) {
                if ($isRenewed || $error->status !== 401) {
                    throw $error;
                }
                $this->credentials->renew($credentials, $error);
            }
        }
    }
}
