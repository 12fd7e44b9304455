<?php
$items = [
    ['sku' => 'CAFE-GRAO-250', 'quantity' => 40],
    ['sku' => 'NO-SUCH-SKU', 'quantity' => 5],
];
foreach (array_chunk($items, 500) as $part) { // 500 is the most that one call takes.
    $request = curl_init('{{origin}}/v2/{{store}}/catalog/stocks');
    curl_setopt_array($request, [
        CURLOPT_CUSTOMREQUEST => 'PUT',
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 60,
        CURLOPT_HTTPHEADER => [
            'Idempotency-Key: ' . bin2hex(random_bytes(16)),
            'User-Token: {{user_token}}',
            'User-Secret-Key: {{user_secret}}',
            'Content-Type: application/json',
        ],
        CURLOPT_POSTFIELDS => json_encode(['items' => $part]),
    ]);
    $answer = json_decode(curl_exec($request), true);
    if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) !== 200) {
        exit("{$answer['code']}: {$answer['hint']} " . json_encode($answer['errors'] ?? []) . "\n");
    }
    foreach ($answer['data'] as $result) {
        $errors = isset($result['errors']) ? json_encode($result['errors']) : '';
        echo "{$part[$result['index']]['sku']} {$result['status']} $errors\n";
    }
}
