/** The window of every rate limit of the deployment (`[[ratelimits]]` in wrangler.toml), in seconds. */
export const limitSeconds = 60;
