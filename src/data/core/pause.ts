/** Waits for so many milliseconds. In a long loop of statements, it lets the isolate answer requests in between. */
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
