/** The parts of the forms of the interactive reference. */
type Children = readonly (Node | string)[];

/** Creates an element with properties and content. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  children: Children = [],
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** A label with its control, and a hint below that the control refers to. */
export function field(label: string, control: HTMLElement, hint = ''): HTMLElement {
  const name = element('label', {}, [label]);
  name.htmlFor = control.id;
  if (hint === '') return element('p', {}, [name, control]);
  const text = element('small', { id: `${control.id}-hint`, className: 'muted' }, [hint]);
  control.setAttribute('aria-describedby', text.id);
  return element('p', {}, [name, control, text]);
}

/** A part of the page that can be scrolled, so the keyboard must reach it. */
export const code = (label: string, text: string) => {
  const box = element('pre', { tabIndex: 0, className: 'result' }, [text]);
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', label);
  return box;
};

/** A set of fields with a legend; nothing without fields. */
export const group = (legend: string, fields: Children): Node[] =>
  fields.length === 0
    ? []
    : [element('fieldset', {}, [element('legend', {}, [legend]), ...fields])];

/** Fields below a line that shows them; nothing without fields. */
export const folded = (summary: string, fields: Children): Node[] =>
  fields.length === 0
    ? []
    : [element('details', {}, [element('summary', {}, [summary]), ...fields])];
