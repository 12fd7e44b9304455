import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** A key with its certificate, both PEM, as a TLS server takes them. */
export interface Identity {
  key: string;
  cert: string;
}

interface Wanted {
  /** The host that the certificate is for; an authority's is its own name. */
  name: string;
  /** Who signs; without it the certificate signs itself. */
  by?: Identity & { name: string };
  isAuthority?: boolean;
  /** Days from now. */
  from?: number;
  until?: number;
}

const dayMs = 86_400_000;

/** One DER element (X.690): its tag, its length, what is in it. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : long)]), content]);
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const bits = (bytes: Uint8Array) => der(0x03, Buffer.of(0), bytes);
const isTrue = Buffer.of(1, 1, 255);

// Object identifiers, written out: ecdsa-with-SHA256, commonName, basicConstraints, subjectAltName.
const algorithm = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
const commonName = Buffer.from('0603550403', 'hex');
const basicConstraints = Buffer.from('0603551d13', 'hex');
const alternativeName = Buffer.from('0603551d11', 'hex');

const called = (name: string) =>
  sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))));

/** UTCTime: two digits of the year, no fraction. */
const moment = (days: number) =>
  der(
    0x17,
    Buffer.from(
      `${new Date(Date.now() + days * dayMs)
        .toISOString()
        .replaceAll(/[-:T]|\..*/g, '')
        .slice(2)}Z`,
    ),
  );

function extensions({ name, isAuthority = false }: Wanted): Buffer {
  const extension = isAuthority
    ? sequence(basicConstraints, isTrue, der(0x04, sequence(isTrue)))
    : sequence(alternativeName, der(0x04, sequence(der(0x82, Buffer.from(name)))));
  return der(0xa3, sequence(extension));
}

function unsigned(wanted: Wanted, publicKey: KeyObject): Buffer {
  const { name, by, from = -2, until = 2 } = wanted;
  return sequence(
    der(0xa0, Buffer.of(2, 1, 2)),
    der(0x02, Buffer.of(1 + Math.floor(Math.random() * 126))),
    algorithm,
    called(by?.name ?? name),
    sequence(moment(from), moment(until)),
    called(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions(wanted),
  );
}

/** An X.509 certificate (RFC 5280) with a new key of its own, good for two days unless something else is wanted. */
export function identity(wanted: Wanted): Identity {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const body = unsigned(wanted, createPublicKey(privateKey));
  const signature = bits(sign('sha256', body, wanted.by?.key ?? key));
  const lines = sequence(body, algorithm, signature)
    .toString('base64')
    .replaceAll(/.{64}/g, '$&\n');
  return { key, cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` };
}
