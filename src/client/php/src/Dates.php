<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/** Dates of answers: objects with a zone, ISO texts in UTC, and local texts. The last two only in fields of certain names. */
final class Dates
{
    /**
     * Replaces all dates of a body by `DateTimeImmutable`. A local text has the zone of the objects beside it: a body is about one
     * store.
     */
    public static function decode(mixed $body): mixed
    {
        return self::replace($body, '', self::zoneOf($body) ?? 'UTC');
    }

    private static function replace(mixed $value, string $name, string $zone): mixed
    {
        if (!is_array($value)) {
            $isDate = is_string($value) && isset(Operations::DATE_FIELDS[$name]);
            return $isDate ? self::instant($value, $zone) ?? $value : $value;
        }
        if (self::isDate($value)) {
            return self::instant($value['date'], $value['timezone']) ?? $value;
        }
        foreach ($value as $key => $one) {
            $value[$key] = self::replace($one, is_int($key) ? $name : $key, $zone);
        }
        return $value;
    }

    private static function isDate(array $value): bool
    {
        return isset($value['date'], $value['timezone'], $value['timezone_type']);
    }

    private static function zoneOf(mixed $value): ?string
    {
        if (!is_array($value) || self::isDate($value)) {
            return $value['timezone'] ?? null;
        }
        foreach ($value as $one) {
            $zone = self::zoneOf($one);
            if ($zone !== null) {
                return $zone;
            }
        }
        return null;
    }

    /** Returns null for a text that is no date. A time that a clock change skips moves forward; of one that occurs twice the first counts. */
    private static function instant(string $text, string $zone): ?\DateTimeImmutable
    {
        if (!preg_match('/^\d{4}-\d\d-\d\d[ T]\d{1,2}:\d\d:\d\d(\.\d{1,6})?(?<utc>Z?)$/D', $text, $found)) {
            return null;
        }
        $known = new \DateTimeZone($found['utc'] ? 'UTC' : $zone);
        $at = new \DateTimeImmutable(rtrim($text, 'Z'), $known);
        // PHP takes the second of two.
        $change = $known->getOffset($at->modify('-1 day')) - $at->getOffset();
        $first = $change > 0 ? $at->sub(new \DateInterval("PT{$change}S")) : $at;
        return $first->format('H:i') === $at->format('H:i') ? $first : $at;
    }
}
