<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/** A success. Its data is the record, the body, or the lines of a file. A call returns it with `withResponse: true`. */
final class Response
{
    public readonly ?string $etag;
    public readonly ?string $requestId;
    public readonly ?string $warning;
    public readonly bool $isReplayed;

    /** @param array<string, string> $headers by name in lower case */
    public function __construct(
        public readonly mixed $data,
        public readonly int $status,
        public readonly array $headers,
    ) {
        $this->etag = $headers['etag'] ?? null;
        $this->requestId = $headers['x-request-id'] ?? null;
        $this->warning = $headers['x-warning'] ?? null;
        $this->isReplayed = ($headers['idempotent-replayed'] ?? '') === 'true';
    }
}
