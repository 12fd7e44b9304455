<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/** An API key, which cannot be renewed. */
final class KeyCredentials
{
    private readonly array $headers;

    public function __construct(#[\SensitiveParameter] ?string $token, #[\SensitiveParameter] ?string $secret)
    {
        $this->headers = [
            'User-Token' => self::check('token', $token, 'User-Token'),
            'User-Secret-Key' => self::check('secret', $secret, 'User-Secret-Key'),
        ];
    }

    public function headers(): array
    {
        return $this->headers;
    }

    public function renew(#[\SensitiveParameter] array $_refused, ApiError $error): never
    {
        $isNamed = str_contains($error->hint, 'User-');
        throw $isNamed ? $error : $error->with(' token was sent as User-Token, secret as User-Secret-Key.');
    }

    /** Returns a value of a header. Throws unless it can be sent; the error does not repeat it. */
    public static function check(string $name, #[\SensitiveParameter] ?string $value, string $header): string
    {
        if ($value !== null && preg_match('/^[\x21-\x7e]+$/D', $value)) {
            return $value;
        }
        throw new \InvalidArgumentException("$name must be a text without spaces. It is sent as $header.");
    }

    public function __debugInfo(): array
    {
        return [];
    }
}
