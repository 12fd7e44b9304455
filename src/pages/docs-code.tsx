import type { CodeProps } from './docs-props.ts';

/** A block of code with its caption; the copy script puts its button there. */
export const Code = ({ caption, code }: CodeProps) => (
  <figure class="code">
    <figcaption>{caption}</figcaption>
    <pre>
      <code>{code}</code>
    </pre>
  </figure>
);

/** A block that opens on demand, for what few readers need. */
export const Folded = ({ caption, code }: CodeProps) => (
  <details>
    <summary>{caption}</summary>
    <Code caption="JSON" code={code} />
  </details>
);
