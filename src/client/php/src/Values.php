<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/** Values as the service takes them, in bodies, queries and paths. */
final class Values
{
    /** Encodes a body. Dates become ISO 8601, an empty array an object. */
    public static function toJson(mixed $value): string
    {
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE;
        return json_encode($value === [] ? new \stdClass() : self::plain($value), $flags);
    }

    /** Encodes records as lines of JSON. */
    public static function toLines(iterable $records): string
    {
        $lines = '';
        foreach ($records as $record) {
            $lines .= self::toJson($record) . "\n";
        }
        return $lines;
    }

    /** Appends a query to a path that may have one. Lists are joined by commas. */
    public static function withQuery(string $path, ?array $query): string
    {
        $sent = [];
        foreach ($query ?? [] as $name => $value) {
            if ($value !== null) {
                $sent[] = urlencode((string) $name) . '=' . urlencode(self::queryText($value));
            }
        }
        return $sent === [] ? $path : $path . (str_contains($path, '?') ? '&' : '?') . implode('&', $sent);
    }

    /**
     * Fills ids in. Throws if one is missing or would make another path.
     *
     * @param list<string> $names
     */
    public static function fillPath(string $path, array $names, array $ids, string $method): string
    {
        foreach ($names as $index => $name) {
            $value = $ids[$index] ?? null;
            if (!is_int($value) && (!is_string($value) || in_array($value, ['', '.', '..'], true))) {
                throw new \InvalidArgumentException("$method needs $name.");
            }
            $path = implode(rawurlencode((string) $value), explode("{{$name}}", $path, 2));
        }
        return $path;
    }

    private static function queryText(mixed $value): string
    {
        if (is_array($value)) {
            return implode(',', array_map(self::queryText(...), $value));
        }
        return is_string($value) ? $value : trim(self::toJson($value), '"');
    }

    private static function plain(mixed $value): mixed
    {
        if ($value instanceof \DateTimeInterface) {
            return $value->format(DATE_ATOM);
        }
        return is_array($value) ? array_map(self::plain(...), $value) : $value;
    }
}
