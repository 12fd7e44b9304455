import { sql, type SQL } from 'drizzle-orm';
import { oauthGrants } from '../schema/store/grants-tables.ts';

// Bit 2n is a read scope, bit 2n + 1 the write scope that includes it (`data/grants/scopes.ts`).
const allReadScopes = sql.raw(String(0x155555));

/** The condition that the scopes of a grant include all these. */
export const coversScopeBits = (bits: number | SQL) =>
  sql`(${bits} & ~(${oauthGrants.scopes} | ((${oauthGrants.scopes} >> 1) & ${allReadScopes}))) = 0`;
