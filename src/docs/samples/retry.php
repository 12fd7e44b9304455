<?php
/** Sends a write until it is answered. The key makes sure that it is carried out once. */
function send(string $method, string $path, array $body, string $key): array
{
    for ($attempt = 0; $attempt < 5; $attempt++) {
        $wait = 2 ** $attempt / 2 + mt_rand() / mt_getrandmax() / 2;
        $request = curl_init('{{origin}}/v2/{{store}}' . $path);
        curl_setopt_array($request, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 30,
            CURLOPT_HTTPHEADER => [
                "Idempotency-Key: $key",
                'User-Token: {{user_token}}',
                'User-Secret-Key: {{user_secret}}',
                'Content-Type: application/json',
            ],
            CURLOPT_POSTFIELDS => json_encode($body),
            CURLOPT_HEADERFUNCTION => function ($request, $line) use (&$wait) {
                if (preg_match('/^Retry-After: (\d+)/i', $line, $match)) {
                    $wait = (int) $match[1];
                }
                return strlen($line);
            },
        ]);
        $text = curl_exec($request);
        if ($text !== false) {
            $answer = json_decode($text, true);
            $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
            if ($status < 300) {
                return $answer;
            }
            $code = $answer['code'] ?? '';
            if (!in_array($status, [429, 503], true) && $code !== 'request_under_way') {
                $errors = json_encode($answer['errors'] ?? []);
                throw new RuntimeException("$code: " . ($answer['hint'] ?? $status) . " $errors");
            }
        }
        usleep((int) ($wait * 1_000_000));
    }
    throw new RuntimeException("No answer. Try again later with the same key: $key");
}

$key = bin2hex(random_bytes(16)); // Store it with your own record before you send.
$brand = send('POST', '/catalog/brands', ['name' => 'Lua', 'active' => true], $key)['data'];
echo "Created brand {$brand['id']}: {$brand['name']}\n";
