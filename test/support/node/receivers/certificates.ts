import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** A private key with its certificate, both PEM. */
export interface TlsIdentity {
  key: string;
  cert: string;
}

interface CertificateOptions {
  /** The host of the certificate; for an authority, its own name. */
  name: string;
  /** The signing authority; without it the certificate is self-signed. */
  by?: TlsIdentity & { name: string };
  isAuthority?: boolean;
  /** Start of the validity, in days from now. */
  from?: number;
  /** End of the validity, in days from now. */
  until?: number;
}

const dayMs = 86_400_000;

/** Encodes one DER element (X.690) of less than 64 KiB. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const longLength = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : longLength)]), content]);
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const bits = (bytes: Uint8Array) => der(0x03, Buffer.of(0), bytes);
const isTrue = Buffer.of(1, 1, 255);

// Object identifiers, written out: ecdsa-with-SHA256, commonName, basicConstraints, subjectAltName.
const algorithm = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
const commonName = Buffer.from('0603550403', 'hex');
const basicConstraints = Buffer.from('0603551d13', 'hex');
const alternativeName = Buffer.from('0603551d11', 'hex');

const distinguishedName = (name: string) =>
  sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))));

/** Encodes a UTCTime: a two-digit year and no fraction of a second. */
const utcTime = (days: number) =>
  der(
    0x17,
    Buffer.from(
      `${new Date(Date.now() + days * dayMs)
        .toISOString()
        .replaceAll(/[-:T]|\..*/g, '')
        .slice(2)}Z`,
    ),
  );

function extensions({ name, isAuthority = false }: CertificateOptions): Buffer {
  const extension = isAuthority
    ? sequence(basicConstraints, isTrue, der(0x04, sequence(isTrue)))
    : sequence(alternativeName, der(0x04, sequence(der(0x82, Buffer.from(name)))));
  return der(0xa3, sequence(extension));
}

function tbsCertificate(options: CertificateOptions, publicKey: KeyObject): Buffer {
  const { name, by, from = -2, until = 2 } = options;
  return sequence(
    der(0xa0, Buffer.of(2, 1, 2)),
    der(0x02, Buffer.of(1 + Math.floor(Math.random() * 126))),
    algorithm,
    distinguishedName(by?.name ?? name),
    sequence(utcTime(from), utcTime(until)),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions(options),
  );
}

/**
 * Creates an X.509 certificate (RFC 5280) with a new key. By default it is valid for two more days.
 */
export function createCertificate(options: CertificateOptions): TlsIdentity {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const body = tbsCertificate(options, createPublicKey(privateKey));
  const signature = bits(sign('sha256', body, options.by?.key ?? key));
  const lines = sequence(body, algorithm, signature)
    .toString('base64')
    .replaceAll(/.{64}/g, '$&\n');
  return { key, cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` };
}
