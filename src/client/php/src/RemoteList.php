<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/**
 * A list of the service. Nothing is sent until it is read.
 *
 * @template TRecord
 * @implements \IteratorAggregate<int, TRecord>
 */
final class RemoteList implements \IteratorAggregate
{
    public function __construct(
        private readonly Client $client,
        private readonly string $path,
        private readonly ?array $query,
        private readonly array $options,
        private readonly bool $isRaw = false,
    ) {
    }

    /**
     * Walks all pages.
     *
     * @return \Generator<int, TRecord>
     */
    public function getIterator(): \Generator
    {
        return $this->walk(100);
    }

    /**
     * Returns all records, or the first ones.
     *
     * @return list<TRecord>
     */
    public function all(?int $limit = null): array
    {
        $records = [];
        foreach ($limit === 0 ? [] : $this->walk(min(100, $limit ?? 100)) as $record) {
            $records[] = $record;
            if (count($records) === $limit) {
                break;
            }
        }
        return $records;
    }

    /**
     * Loads one page.
     *
     * @return Page<TRecord>
     */
    public function page(): Page
    {
        return $this->load(Values::withQuery($this->path, $this->query));
    }

    private function load(string $path): Page
    {
        $sent = $this->client->transport->send('GET', $path, [...$this->options, 'isList' => true])->data;
        $body = $this->isRaw ? $sent : Dates::decode($sent);
        $meta = $body['meta'] ?? [];
        $link = $meta['pagination']['links']['next'] ?? null;
        $cursor = $meta['cursor']['next'] ?? null;
        $following = $link ? $this->client->resolve($link) : null;
        if ($cursor !== null && !$link) {
            $rest = preg_replace(['/([?&])cursor=[^&]*&?/', '/[?&]$/'], ['$1', ''], $path);
            $following = Values::withQuery($rest, ['cursor' => $cursor]);
        }
        return new Page($body['data'], $meta, $following, $this->load(...));
    }

    private function walk(int $limit): \Generator
    {
        $path = Values::withQuery($this->path, ['limit' => $limit, ...($this->query ?? [])]);
        while ($path !== null) {
            try {
                $page = $this->load($path);
                [$data, $path] = [$page->data, $page->path];
            } catch (ApiError $error) {
                // Fewer records, if they are too large for one answer.
                $smaller = preg_replace_callback(
                    '/[?&]limit=\K\d+/',
                    fn (array $at): float => ceil($at[0] / 4),
                    $path,
                );
                if ($error->code !== 'answer_too_large' || $smaller === $path) {
                    throw $error;
                }
                [$data, $path] = [[], $smaller];
            }
            foreach ($data as $record) {
                yield $record;
            }
        }
    }
}
