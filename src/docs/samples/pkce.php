<?php
$clientId = getenv('CLIENT_ID');
$redirectUri = 'http://127.0.0.1:9999/callback';

function base64url(string $bytes): string
{
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}

// 1. A verifier that only you know, and its digest.
$verifier = base64url(random_bytes(32));
$state = base64url(random_bytes(16));

// 2. The merchant opens this address, and returns to your redirect URI.
echo '{{origin}}/oauth/authorize?' . http_build_query([
    'response_type' => 'code',
    'client_id' => $clientId,
    'redirect_uri' => $redirectUri,
    'state' => $state,
    'code_challenge' => base64url(hash('sha256', $verifier, true)),
    'code_challenge_method' => 'S256',
]) . "\nPaste the address that the merchant returned to:\n";
parse_str(parse_url(trim(fgets(STDIN)), PHP_URL_QUERY) ?? '', $callback);
if (!hash_equals($state, $callback['state'] ?? '')) {
    exit("The state is not ours.\n");
}
if (!isset($callback['code'])) {
    exit("The merchant did not consent: {$callback['error']}\n");
}

// 3. The code and the verifier get the tokens, within 60 seconds and once.
$request = curl_init('{{origin}}/oauth/token');
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
    CURLOPT_POSTFIELDS => http_build_query([
        'grant_type' => 'authorization_code',
        'client_id' => $clientId,
        'redirect_uri' => $redirectUri,
        'code' => $callback['code'],
        'code_verifier' => $verifier,
    ]),
]);
$text = curl_exec($request);
$tokens = json_decode($text, true);
if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) !== 200) {
    exit("{$tokens['error']}: {$tokens['error_description']}\n");
}
file_put_contents('tokens.json', $text);
echo "Connected to {$tokens['merchant']}\n";
