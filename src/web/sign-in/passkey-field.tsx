import { passkeyHandle, type SentPasskey } from '../../accounts/sign-in/passkeys.ts';
import { sessionLifetimes } from '../../base/auth-lifetimes.ts';
import { sha256 } from '../../base/crypto/digest.ts';
import { parsePasskeyAnswer } from '../../base/crypto/webauthn.ts';
import { serviceOrigin } from '../../base/settings.ts';
import type { FieldView } from '../forms/form-page.tsx';
import { sentText } from '../forms/form-values.ts';
import { FormToken } from '../forms/received-form.ts';
import type { PublicPage, SignedInPage } from '../page.ts';

interface Challenge {
  madeAt: number;
}

/**
 * Challenges of one kind answer no other: a new passkey, its use beside the password or session,
 * and its use alone.
 */
const challenges = {
  create: new FormToken<Challenge>('passkey-creation'),
  get: new FormToken<Challenge>('passkey-use'),
  alone: new FormToken<Challenge>('passkey-sign-in'),
};

type Kind = keyof typeof challenges;

/** The fields of a form with a passkey, for its schema. */
export const passkeyFields = { passkey: sentText, passkey_challenge: sentText };

/** The values of {@link passkeyFields}. */
export interface PasskeyValues {
  passkey: string;
  passkey_challenge: string;
}

/**
 * The host that passkeys belong to, and its origin. Returns `undefined` where there are none: at an
 * address in place of a name, and at another host than that of the deployment.
 */
function partyOf({ c, settings }: PublicPage): { origin: string; rpId: string } | undefined {
  const { origin, hostname } = new URL(serviceOrigin(settings, c.req.url));
  const isName = !/^[\d.]+$|^\[/.test(hostname);
  return isName && new URL(c.req.url).origin === origin ? { origin, rpId: hostname } : undefined;
}

/** The texts of the button, and of a failure. */
interface Texts {
  submit: string;
  failed: string;
}

/**
 * A field with the button of a passkey, which the script shows in a browser that has the API. The
 * challenge is the digest of a sealed text, which the form sends back, so nothing is stored before
 * an answer.
 */
export const passkeyField = (page: PublicPage, texts: Texts): FieldView => ({
  type: 'own',
  name: 'passkey',
  content: () => <PasskeyButton {...{ page, texts }} kind="get" options={{}} />,
});

/** The field of a passkey that signs in alone. */
export const LonePasskeyField = ({ page, texts }: { page: PublicPage; texts: Texts }) => (
  <PasskeyButton {...{ page, texts }} kind="alone" options={{}} />
);

/** The field that makes a passkey of a user. */
export const newPasskeyField = (
  page: SignedInPage,
  texts: Texts,
  knownIds: readonly string[],
): FieldView => ({
  type: 'own',
  name: 'passkey',
  content: async () => {
    const { user, settings } = page;
    const options = {
      service: settings.serviceName,
      user: { id: await passkeyHandle(user.id), name: user.email, displayName: user.name },
      known: knownIds,
    };
    return <PasskeyButton {...{ page, texts, options }} kind="create" isPrimary />;
  },
});

const PasskeyButton = async ({
  page,
  kind,
  texts,
  options,
  isPrimary = false,
}: {
  page: PublicPage;
  kind: Kind;
  texts: Texts;
  options: object;
  isPrimary?: boolean;
}) => {
  const { settings, browser, now } = page;
  const party = partyOf(page);
  if (!party) return <></>;
  const expiresAt = now + sessionLifetimes.secondStep;
  const sealed = await challenges[kind].seal(settings, browser, { madeAt: now }, expiresAt);
  const asked = { ...options, kind, challenge: await sha256(sealed), host: party.rpId };
  return (
    <div class="field" data-passkey={JSON.stringify(asked)} data-failed={texts.failed} hidden>
      <input type="hidden" name="passkey_challenge" value={sealed} />
      <input type="hidden" name="passkey" value="" />
      <button type="button" class={isPrimary ? undefined : 'plain'}>
        {texts.submit}
      </button>
      <p class="error" role="alert"></p>
    </div>
  );
};

/**
 * Reads the answer of a form with a passkey; `undefined` for a form without one. Returns `invalid`
 * for a text that is no answer. So it does for a challenge that is not ours, is older than ten
 * minutes, or was made for another browser.
 */
export async function readPasskey(
  page: PublicPage,
  kind: Kind,
  { passkey, passkey_challenge: sealed }: PasskeyValues,
): Promise<SentPasskey | 'invalid' | undefined> {
  if (passkey === '') return undefined;
  const { settings, browser, now } = page;
  const [party, answer] = [partyOf(page), parsePasskeyAnswer(passkey)];
  const opened = await challenges[kind].open(settings, browser, sealed, now);
  if (!party || !answer || 'error' in opened) return 'invalid';
  const request = { ...party, challenge: await sha256(sealed) };
  return { answer, request, challengedAt: opened.data.madeAt };
}

/** A link to a page about passkeys, which the script shows in a browser that has the API. */
export const PasskeyLink = ({
  href,
  text,
  isButton = false,
}: {
  href: string;
  text: string;
  isButton?: boolean;
}) => (
  <p data-passkeys-only hidden>
    <a href={href} class={isButton ? 'button plain' : undefined}>
      {text}
    </a>
  </p>
);
