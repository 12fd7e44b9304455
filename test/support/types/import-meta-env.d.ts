interface ImportMetaEnv {
  /** From `vitest.config.ts`. */
  readonly THOROUGH: boolean;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}
