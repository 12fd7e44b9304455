<?php
/** Exchanges a refresh token. Only one process at a time may do this for one store. */
function refresh(string $refreshToken): string
{
    for ($attempt = 0; $attempt < 5; $attempt++) {
        $request = curl_init('{{origin}}/oauth/token');
        curl_setopt_array($request, [
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 10,
            CURLOPT_POSTFIELDS => http_build_query([
                'grant_type' => 'refresh_token',
                'client_id' => getenv('CLIENT_ID'),
                'refresh_token' => $refreshToken,
            ]),
        ]);
        $text = curl_exec($request);
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        if ($status === 200 && is_string($text)) {
            return $text;
        }
        if ($status >= 400 && $status < 429) {
            // The connection has ended: only the merchant can start a new one.
            throw new DomainException((string) $text);
        }
        // The answer is lost, or the service is busy. The same token again is safe for two minutes.
        sleep($attempt + 1);
    }
    throw new RuntimeException('No answer. Try again with the same refresh token.');
}

$old = json_decode(file_get_contents('tokens.json'), true);
// Store the new tokens before you use them. Both old ones are replaced.
file_put_contents('tokens.new', refresh($old['refresh_token']));
rename('tokens.new', 'tokens.json');
echo "Refreshed\n";
