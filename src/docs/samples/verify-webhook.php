<?php
const TOLERANCE = 300; // Seconds that a delivery may be old.

/** Whether a delivery is genuine and fresh. $body is the raw body, before anything parses it. */
function verify(string $body, array $server, array $secrets): bool
{
    $id = $server['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $server['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $sent = explode(' ', $server['HTTP_WEBHOOK_SIGNATURE'] ?? '', 9);
    if (!preg_match('/^\d{1,12}$/D', $timestamp) || abs(time() - (int) $timestamp) > TOLERANCE) {
        return false;
    }
    foreach ($secrets as $secret) {
        $key = base64_decode(substr($secret, strlen('whsec_')));
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        foreach ($sent as $signature) {
            if (hash_equals($expected, $signature)) {
                return true;
            }
        }
    }
    return false;
}

/** Whether a delivery is genuine, by the service's own header. It does not cover the time. */
function verifyBody(string $body, array $server, array $secrets): bool
{
    foreach ($secrets as $secret) {
        $expected = base64_encode(hash_hmac('sha256', $body, $secret, true));
        if (hash_equals($expected, $server['HTTP_X_{{SERVICE}}_HMAC_SHA256'] ?? '')) {
            return true;
        }
    }
    return false;
}

// Your secret; during a rotation the old and the new one, separated by a space.
$secrets = explode(' ', getenv('WEBHOOK_SECRETS'));
$body = file_get_contents('php://input');
if (!verify($body, $_SERVER, $secrets)) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);
// Store the event under its webhook-id, answer, and work afterwards.
error_log("{$_SERVER['HTTP_WEBHOOK_ID']} {$event['event']}");
http_response_code(204);
