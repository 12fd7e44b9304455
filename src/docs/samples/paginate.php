<?php
$url = '{{origin}}/v2/{{store}}/catalog/products?limit=100&include=skus';
$count = 0;
while ($url !== '') {
    $request = curl_init($url);
    curl_setopt_array($request, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
        CURLOPT_HTTPHEADER => ['User-Token: {{user_token}}', 'User-Secret-Key: {{user_secret}}'],
    ]);
    $page = json_decode(curl_exec($request), true);
    if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) !== 200) {
        exit("{$page['code']}: {$page['hint']} " . json_encode($page['errors'] ?? []) . "\n");
    }
    foreach ($page['data'] as $product) {
        echo "{$product['id']} {$product['name']}\n";
        $count++;
    }
    $url = $page['meta']['pagination']['links']['next'];
}
echo "$count products\n";
