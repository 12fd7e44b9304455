<?php

declare(strict_types=1);

namespace OnlineStoreAdministration;

/**
 * Calls operations of one store: `$client->brands->create([...])`. Arguments: ids, body or query, options by name.
 *
 * {groups}
 */
final class Client
{
    /** Sends requests, for groups and lists. */
    public readonly Transport $transport;
    private readonly string $store;

    /** @var array<string, Group> */
    private array $groups = [];

    /** @param array{Sender, AppCredentials}|null $app of the client of an app */
    public function __construct(
        string $store,
        string $baseUrl = Operations::DEFAULT_URL,
        #[\SensitiveParameter] ?string $token = null,
        #[\SensitiveParameter] ?string $secret = null,
        array $headers = [],
        bool $strict = false,
        int $retries = 4,
        float $timeout = 30,
        ?string $caFile = null,
        ?array $app = null,
    ) {
        if (!preg_match('/^[\w-]+$/D', $store)) {
            throw new \InvalidArgumentException('store must be the alias of a store.');
        }
        $this->store = $store;
        [$sender, $credentials] = $app ?? [new Sender($baseUrl, $retries, $timeout, $caFile), new KeyCredentials($token, $secret)];
        $this->transport = new Transport($sender, $credentials, $headers, $strict);
    }

    public function __get(string $name): Group
    {
        $methods = Operations::GROUPS[$name] ?? throw new \InvalidArgumentException("There is no group $name.");
        return $this->groups[$name] ??= new (__NAMESPACE__ . '\\Groups\\' . ucfirst($name) . 'Methods')($this, $name, $methods);
    }

    /** Calls any operation, and returns its whole body. */
    public function request(string $method, string $path, ?array $query = null, mixed $body = null, mixed ...$options): mixed
    {
        return $this->call($method, Values::withQuery($this->resolve($path), $query), $body, 'r', $options);
    }

    public function walk(string $path, ?array $query = null, mixed ...$options): RemoteList
    {
        return new RemoteList($this, $this->resolve($path), $query, $options, true);
    }

    /** Returns the path for one of the document, one within the store, or a link of an answer. */
    public function resolve(string $path): string
    {
        $rooted = str_contains($path, '://') ? (string) strstr($path, '/v2/') : '/' . ltrim($path, '/');
        if (str_starts_with($rooted, '/v2/')) {
            return $rooted;
        }
        $isRooted = str_starts_with($rooted, '/{alias}') || str_starts_with($rooted, '/auth/');
        return '/v2' . str_replace('{alias}', $this->store, $isRooted ? $rooted : "/{alias}$rooted");
    }

    /** Calls an operation. Result: r, the body as it was sent; b, the body; d, its data; o, the only record of its data; n, nothing. */
    public function call(string $verb, string $path, mixed $sent, string $result, array $options): mixed
    {
        $isWhole = $options['withResponse'] ?? false;
        unset($options['withResponse']);
        if ($sent !== null) {
            $isRaw = is_string($sent) && isset($options['contentType']);
            $options += ['contentType' => 'application/json'];
            $options['body'] = $isRaw ? $sent : Values::toJson($sent);
        }
        $answer = $this->transport->send($verb, $path, $options);
        $body = $result === 'r' ? $answer->data : Dates::decode($answer->data);
        $data = match ($result) {
            'n' => null,
            'r', 'b' => $body,
            'o' => $body['data'][0],
            default => $body['data'],
        };
        return $isWhole ? new Response($data, $answer->status, $answer->headers) : $data;
    }
}
