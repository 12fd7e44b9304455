<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/** Values as the service takes them, in bodies, queries and paths. */
final class Values
{
    /** Encodes a body. Dates become ISO 8601, an empty array an object, a list with gaps a list. */
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

    /**
     * Appends a query to a path that may have one. Lists are joined by commas, without null. Throws for a list of nothing
     * else: a filter without a value would let every record through.
     */
    public static function withQuery(string $path, ?array $query): string
    {
        $sent = [];
        foreach ($query ?? [] as $name => $value) {
            $text = self::queryText($name, $value);
            if ($text === '' && !is_string($value)) {
                $text = str_starts_with($name, 'include')
                    ? null : throw new \InvalidArgumentException("$name is a list without values. Leave it out for all.");
            }
            if ($text !== null) {
                $sent[] = urlencode($name) . '=' . urlencode($text);
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

    private static function queryText(string $name, mixed $value): ?string
    {
        $plain = self::plain($value);
        if (is_array($plain)) {
            return implode(',', array_filter(array_map(fn ($one) => self::queryText($name, $one), $plain), is_string(...)));
        }
        if (is_object($plain) && !$plain instanceof \BackedEnum) {
            throw new \InvalidArgumentException("$name must be a value or a list.");
        }
        return $plain === null || is_string($plain) ? $plain : trim(self::toJson($plain), '"');
    }

    private static function plain(mixed $value): mixed
    {
        return match (true) {
            $value instanceof \DateTimeInterface => $value->format($value->format('u') > 0 ? 'Y-m-d\TH:i:s.uP' : DATE_ATOM),
            $value instanceof \JsonSerializable => self::plain($value->jsonSerialize()),
            $value instanceof \Traversable => self::plain(iterator_to_array($value)),
            !is_array($value) => $value,
            array_filter(array_keys($value), is_string(...)) !== [] => array_map(self::plain(...), $value),
            // PHP would write one with gaps as an object, but no body has an object of numbered members.
            default => array_map(self::plain(...), array_values($value)),
        };
    }
}
