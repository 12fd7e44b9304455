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
