export interface CodeExample {
  caption: string;
  code: string;
}

/** A block of code with a caption. `copyButtonScript` adds a copy button to the caption. */
export const CodeBlock = ({ caption, code }: CodeExample) => (
  <figure class="code">
    <figcaption>{caption}</figcaption>
    <pre>
      <code>{code}</code>
    </pre>
  </figure>
);

/** A block of JSON that is collapsed at first. */
export const CollapsibleCode = ({ caption, code }: CodeExample) => (
  <details>
    <summary>{caption}</summary>
    <CodeBlock caption="JSON" code={code} />
  </details>
);
