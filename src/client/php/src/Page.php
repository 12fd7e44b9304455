<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/**
 * One page of a list.
 *
 * @template TRecord
 */
final class Page
{
    /**
     * @param list<TRecord> $data
     * @param ?string $path of the page after this one
     */
    public function __construct(
        public readonly array $data,
        public readonly array $meta,
        public readonly ?string $path,
        private readonly \Closure $load,
    ) {
    }

    /**
     * Loads the page after this one, or returns null.
     *
     * @return ?self<TRecord>
     */
    public function next(): ?self
    {
        return $this->path === null ? null : ($this->load)($this->path);
    }
}
