import { AwsV4Signer } from 'aws4fetch';
import { mockNetwork } from './network.ts';

/** The settings of a Worker that stores copies in the bucket of {@link startBucket}. */
export const bucketSettings = {
  COPIES_URL: 'https://s3.copies.test/stores-of-nova',
  COPIES_REGION: 'sa-east-1',
  COPIES_ACCESS_ID: 'AKIDCOPIES',
  COPIES_SECRET: 'secret-of-the-other-account',
} as const;

const hexOf = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

const refuse = (status: number, code: string) =>
  new Response(`<Error><Code>${code}</Code></Error>`, { status });

/**
 * Signs the request again as its owner would, and compares. The signer is that of the library, with
 * the time of the request.
 */
async function isSigned(request: Request, secret: string): Promise<boolean> {
  const { headers, url, method } = request;
  const signed = /SignedHeaders=([^,]*)/.exec(headers.get('authorization') ?? '')?.[1] ?? '';
  const own = signed.split(';').flatMap((name) => {
    const value = headers.get(name);
    return name === 'host' || value === null ? [] : [[name, value] as [string, string]];
  });
  const signer = new AwsV4Signer({
    url,
    method,
    headers: own,
    accessKeyId: bucketSettings.COPIES_ACCESS_ID,
    secretAccessKey: secret,
    service: 's3',
    region: bucketSettings.COPIES_REGION,
    datetime: headers.get('x-amz-date') ?? '',
  });
  const expected = (await signer.sign()).headers.get('authorization');
  return expected !== null && expected === headers.get('authorization');
}

/**
 * A bucket of another account by the S3 API, in place of the network until it is disposed. It
 * refuses requests without a right signature, and bytes that are not those that were signed. After
 * `dies.after` further requests the next one is carried out, and its answer is lost; none is
 * answered after it.
 */
export function startBucket() {
  const objects = new Map<string, Uint8Array>();
  const dies = { after: Infinity };
  const state = {
    secret: bucketSettings.COPIES_SECRET as string,
    requests: 0,
    /** Whether the bucket was deleted. */
    isGone: false,
    /** Runs after each request. */
    afterwards: async () => undefined as void,
  };
  const base = new URL(bucketSettings.COPIES_URL);

  const answer = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    if (url.host !== base.host || !url.pathname.startsWith(base.pathname)) {
      throw new Error(`no such host: ${url.host}`);
    }
    if (state.isGone) return refuse(404, 'NoSuchBucket');
    const body = new Uint8Array(await request.arrayBuffer());
    if (!(await isSigned(request, state.secret))) return refuse(403, 'SignatureDoesNotMatch');
    const hash = hexOf(await crypto.subtle.digest('SHA-256', body));
    if (request.headers.get('x-amz-content-sha256') !== hash) {
      return refuse(400, 'XAmzContentSHA256Mismatch');
    }
    const key = url.pathname.slice(base.pathname.length + 1);
    switch (request.method) {
      case 'PUT':
        objects.set(key, body);
        return new Response(null, { status: 200 });
      case 'DELETE':
        objects.delete(key);
        return new Response(null, { status: 204 });
      default: {
        if (url.searchParams.get('list-type') === '2') {
          const prefix = url.searchParams.get('prefix') ?? '';
          const keys = [...objects.keys()].filter((one) => one.startsWith(prefix)).sort();
          const shown = keys.slice(0, 1000).map((one) => `<Contents><Key>${one}</Key></Contents>`);
          return new Response(`<ListBucketResult>${shown.join('')}</ListBucketResult>`);
        }
        const content = objects.get(key);
        return content ? new Response(content) : refuse(404, 'NoSuchKey');
      }
    }
  };

  const fetchFromBucket = async (request: Request) => {
    state.requests += 1;
    if (dies.after < 0) throw new TypeError('Network connection lost.');
    const response = await answer(request);
    await state.afterwards();
    dies.after -= 1;
    if (dies.after < 0) throw new TypeError('Network connection lost.');
    return response;
  };
  const network = mockNetwork(fetchFromBucket);
  return {
    objects,
    dies,
    state,
    fetch: fetchFromBucket,
    [Symbol.dispose]: () => network[Symbol.dispose](),
  };
}
