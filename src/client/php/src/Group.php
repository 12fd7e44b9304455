<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/** The methods of a group, such as `brands`. */
abstract class Group
{
    /** @param array<string, array{string, string, string, string}> $methods */
    public function __construct(
        private readonly Client $client,
        private readonly string $name,
        private readonly array $methods,
    ) {
    }

    public function __call(string $method, array $arguments): mixed
    {
        $name = "{$this->name}.$method";
        [$template, $verb, $result, $kind] = $this->methods[$method]
            ?? throw new \BadMethodCallException("There is no method $name.");
        $options = array_filter($arguments, is_string(...), ARRAY_FILTER_USE_KEY);
        $values = array_diff_key($arguments, $options);
        preg_match_all('/\{(\w+)\}/', str_replace('{alias}', '', $template), $ids);
        $path = Values::fillPath($this->client->resolve($template), $ids[1], $values, $name);
        $rest = array_slice($values, count($ids[1]));
        $sent = $kind === 'n' ? null : array_shift($rest);
        if ($rest !== []) {
            throw new \InvalidArgumentException("$name takes fewer arguments.");
        }
        if ($kind === 'q') {
            if ($result === 'l') {
                return new RemoteList($this->client, $path, $sent, $options);
            }
            [$path, $sent] = [Values::withQuery($path, $sent), null];
            if ($result === 's') {
                return $this->readLines($path, $options);
            }
        }
        if ($kind === 'l') {
            $path = Values::withQuery($path, $options['query'] ?? null);
            unset($options['query']);
            $options += ['timeout' => 300, 'contentType' => 'application/x-ndjson'];
            $sent = is_iterable($sent) ? Values::toLines($sent) : $sent;
        }
        return $this->client->call($verb, $path, $sent, $result, $options);
    }

    /** Asks for an import or export until it has ended, less often the longer it takes. */
    public function wait(int $id, ?callable $onProgress = null, mixed ...$options): array
    {
        for ($pause = 0.25; true; $pause = min($pause * 1.5, 5)) {
            $job = $this->show($id, ...$options);
            $onProgress === null || $onProgress($job);
            if (in_array($job['state'], ['done', 'cancelled', 'failed'], true)) {
                return $job;
            }
            usleep((int) ($pause * 1_000_000));
        }
    }

    /** Yields JSON lines. After a lost connection it asks again, and skips what was yielded. */
    private function readLines(string $path, array $options): \Generator
    {
        $yielded = $failures = 0;
        while (true) {
            try {
                $number = 0;
                foreach ($this->client->transport->send('GET', $path, [...$options, 'isStream' => true])->data as $line) {
                    // A line that was cut off is no JSON.
                    $value = Dates::decode(Sender::parse($line));
                    if ($number === $yielded) {
                        [$yielded, $failures] = [$yielded + 1, 0];
                        yield $value;
                    }
                    $number += 1;
                }
                return;
            } catch (ApiError $error) {
                $failures += 1;
                if ($failures > 3 || !in_array($error->code, ['network', 'timeout'], true)) {
                    throw $error;
                }
            }
            usleep((int) (250_000 * 2 ** $failures));
        }
    }
}
