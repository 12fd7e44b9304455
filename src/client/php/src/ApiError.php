<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/** A call that did not succeed: a refusal, or a failure on the way (status 0). It holds no credentials. */
final class ApiError extends \RuntimeException
{
    /** @var string A code of the service, or one of the client such as `network`. */
    public $code;

    /** @var array<string, list<string>> Messages by field. */
    public readonly array $errors;
    public readonly ?string $requestId;
    public readonly ?string $documentationUrl;

    /** @param array<string, string> $headers by name in lower case */
    private function __construct(
        string $code,
        public readonly string $hint,
        public readonly int $status,
        public readonly array $headers,
        private readonly array $body,
    ) {
        $this->errors = is_array($body['errors'] ?? null) ? $body['errors'] : [];
        $this->requestId = $body['request_id'] ?? $headers['x-request-id'] ?? null;
        $this->documentationUrl = $body['documentation_url'] ?? $body['error_uri'] ?? null;
        $lines = [ltrim(($status === 0 ? '' : $status) . " $code: $hint")];
        foreach ($this->errors as $name => $texts) {
            $lines[] = "  $name: " . implode(' ', (array) $texts);
        }
        parent::__construct(implode("\n", $lines));
        $this->code = $code;
    }

    public static function of(string $code, string $hint, int $status = 0, array $headers = [], array $body = []): self
    {
        // The trace would hold the arguments of calls, and with them credentials.
        $before = ini_set('zend.exception_ignore_args', '1');
        try {
            return new self($code, $hint, $status, $headers, $body);
        } finally {
            ini_set('zend.exception_ignore_args', (string) $before);
        }
    }

    /** Returns the error of an answer. Those of the authorization server have other members. */
    public static function ofAnswer(int $status, array $headers, array $body): self
    {
        [$code, $hint] = $status === 304
            ? ['not_modified', 'The record has not changed.']
            : ['unexpected_answer', 'This is not the service. Check baseUrl.'];
        return self::of(
            $body['code'] ?? $body['error'] ?? $code,
            $body['hint'] ?? $body['message'] ?? $body['error_description'] ?? $hint,
            $status,
            $headers,
            $body,
        );
    }

    /** Returns the same error with more to its hint. */
    public function with(string $text): self
    {
        return self::of($this->code, $this->hint . $text, $this->status, $this->headers, $this->body);
    }
}
