<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/** One request, and its answer as it comes. */
final class Exchange
{
    public int $status = 0;

    /** @var array<string, string> */
    public array $headers = [];
    public string $received = '';
    private readonly \CurlHandle $handle;
    private bool $hasHead = false;
    private bool $isOver = false;

    /** @var list<string> Whole lines, the next one last. */
    private array $lines = [];

    public function __construct(
        private readonly \CurlMultiHandle $multi,
        array $options,
        private readonly float $timeout,
    ) {
        $this->handle = curl_init();
        curl_setopt_array($this->handle, $options + [
            CURLOPT_HEADERFUNCTION => function (\CurlHandle $_, string $line): int {
                $this->readHead($line);
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => function (\CurlHandle $_, string $bytes): int {
                $this->received .= $bytes;
                return strlen($bytes);
            },
        ]);
        curl_multi_add_handle($multi, $this->handle);
    }

    /** Reads the status and the headers. */
    public function head(): void
    {
        $this->readUntil(fn (): bool => $this->hasHead);
    }

    /** Reads the answer to its end. */
    public function rest(): string
    {
        $this->readUntil(fn (): bool => false);
        return $this->received;
    }

    /** Reads the next line; null at the end. */
    public function line(): ?string
    {
        if ($this->lines === []) {
            $this->readUntil(fn (): bool => str_contains($this->received, "\n"));
            $parts = explode("\n", $this->received);
            $this->received = $this->isOver ? '' : array_pop($parts);
            $this->lines = array_reverse(array_filter($parts, strlen(...)));
        }
        return array_pop($this->lines);
    }

    public function close(): void
    {
        curl_multi_remove_handle($this->multi, $this->handle);
    }

    private function readHead(string $line): void
    {
        if (preg_match('#^HTTP/\S+ (\d+)#', $line, $at)) {
            [$this->status, $this->headers] = [(int) $at[1], []];
        } elseif (str_contains($line, ':')) {
            [$name, $value] = array_map(trim(...), explode(':', $line, 2));
            $name = strtolower($name);
            $this->headers[$name] = isset($this->headers[$name]) ? "{$this->headers[$name]}, $value" : $value;
        } else {
            $this->hasHead = $this->status >= 200;
        }
    }

    /** Reads on until there is enough, or to the end. Throws after too long without a byte. */
    private function readUntil(callable $isEnough): void
    {
        [$moved, $since] = [null, microtime(true)];
        while (!$this->isOver && !$isEnough()) {
            curl_multi_exec($this->multi, $_running);
            while ($message = curl_multi_info_read($this->multi)) {
                $this->isOver = true;
                if ($message['result'] !== CURLE_OK) {
                    throw self::failure($message['result']);
                }
            }
            $before = $moved;
            $moved = [
                strlen($this->received),
                count($this->headers),
                curl_getinfo($this->handle, CURLINFO_SIZE_UPLOAD_T),
            ];
            if ($moved !== $before) {
                $since = microtime(true);
            }
            $left = $since + $this->timeout - microtime(true);
            if ($left <= 0 && !$this->isOver) {
                throw self::failure(CURLE_OPERATION_TIMEDOUT);
            }
            if (!$this->isOver && !$isEnough()) {
                curl_multi_select($this->multi, max(0.001, $left));
            }
        }
    }

    private static function failure(int $number): ApiError
    {
        return $number === CURLE_OPERATION_TIMEDOUT
            ? ApiError::of('timeout', 'No answer in time. Raise timeout.')
            : ApiError::of('network', 'No complete answer came (' . curl_strerror($number) . '). Check the network and baseUrl.');
    }
}
