/**
 * Adds a copy button to every `figure.code`. Its texts are in English unless the figure has
 * `data-copy`, `data-copied` and `data-not-copied`.
 */
export const copyButtonSource = `
for (const figure of document.querySelectorAll('figure.code')) {
  const code = figure.querySelector('code');
  const caption = figure.querySelector('figcaption');
  if (!code || !caption || !navigator.clipboard) continue;
  const { copy = 'Copy', copied = 'Copied', notCopied = 'Not copied' } = figure.dataset;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  const name = caption.textContent;
  const show = (text) => {
    button.textContent = text;
    button.setAttribute('aria-label', text + ': ' + name);
  };
  show(copy);
  const status = document.createElement('span');
  status.className = 'visually-hidden';
  status.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      show(copied);
      status.textContent = copied;
    } catch {
      show(notCopied);
    }
    setTimeout(() => {
      show(copy);
      status.textContent = '';
    }, 2000);
  });
  caption.append(button, status);
}
`.trim();

/**
 * Ignores a click on a button with `data-settle` within half a second after the page received the
 * focus. Such a click may have been aimed at a window above the page (clickjacking).
 */
export const clickGuardSource = `
let since = performance.now();
const restart = () => { since = performance.now(); };
addEventListener('focus', restart);
addEventListener('pageshow', restart);
document.addEventListener('visibilitychange', restart);
document.addEventListener('submit', (event) => {
  if (event.submitter?.hasAttribute('data-settle') && performance.now() - since < 500) {
    event.preventDefault();
  }
});
`.trim();

/**
 * Makes and uses passkeys (WebAuthn). `data-passkey` has what a form asks for; its answer fills a
 * hidden field, and the form is sent. A field with the token `webauthn` proposes passkeys, as a
 * browser does with passwords. Whatever needs passkeys stays hidden in a browser that lacks the
 * API.
 */
export const passkeySource = `
const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

async function create({ challenge, host, service, user, known }) {
  const { id, response } = await navigator.credentials.create({ publicKey: {
    challenge: toBytes(challenge),
    rp: { id: host, name: service },
    user: { ...user, id: toBytes(user.id) },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }, { type: 'public-key', alg: -257 }],
    excludeCredentials: known.map((one) => ({ type: 'public-key', id: toBytes(one) })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  } });
  return {
    id,
    clientDataJSON: toText(response.clientDataJSON),
    authenticatorData: toText(response.getAuthenticatorData()),
    publicKey: toText(response.getPublicKey()),
  };
}

async function get({ challenge, host }, options) {
  const { id, response } = await navigator.credentials.get({ ...options, publicKey: {
    challenge: toBytes(challenge),
    rpId: host,
    userVerification: 'required',
  } });
  return {
    id,
    clientDataJSON: toText(response.clientDataJSON),
    authenticatorData: toText(response.authenticatorData),
    signature: toText(response.signature),
    userHandle: response.userHandle?.byteLength ? toText(response.userHandle) : undefined,
  };
}

if (window.PublicKeyCredential && navigator.credentials) {
  for (const part of document.querySelectorAll('[data-passkeys-only]')) part.hidden = false;
  for (const part of document.querySelectorAll('[data-passkey]')) {
    const asked = JSON.parse(part.dataset.passkey);
    const status = part.querySelector('[role=alert]');
    const offer = new AbortController();
    const send = (answer) => {
      part.querySelector('[name=passkey]').value = JSON.stringify(answer);
      part.closest('form').submit();
    };
    part.hidden = false;
    part.querySelector('button').addEventListener('click', async () => {
      status.textContent = '';
      offer.abort();
      try {
        send(await (asked.kind === 'create' ? create(asked) : get(asked)));
      } catch {
        status.textContent = part.dataset.failed;
      }
    });
    if (asked.kind === 'alone') {
      PublicKeyCredential.isConditionalMediationAvailable?.().then((isAvailable) => {
        if (isAvailable) get(asked, { mediation: 'conditional', signal: offer.signal }).then(send, () => {});
      });
    }
  }
}
`.trim();
