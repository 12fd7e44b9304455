<?php
$request = curl_init('{{origin}}/v2/{{store}}/catalog/brands');
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
    CURLOPT_HTTPHEADER => [
        'User-Token: {{user_token}}',
        'User-Secret-Key: {{user_secret}}',
        'Content-Type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode(['name' => 'Sol', 'active' => true]),
]);
$answer = json_decode(curl_exec($request), true);
if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) !== 201) {
    exit("{$answer['code']}: {$answer['hint']} " . json_encode($answer['errors'] ?? []) . "\n");
}
echo "Created brand {$answer['data']['id']}: {$answer['data']['name']}\n";
