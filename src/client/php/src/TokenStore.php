<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/** Where an app keeps the tokens of stores. All its processes share it. */
interface TokenStore
{
    public function get(string $store): ?array;

    /** Replaces the tokens in one step if they are still those of `$expected`, and returns whether it did. */
    public function compareAndSet(string $store, ?array $expected, ?array $next): bool;
}
