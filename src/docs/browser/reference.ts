/** The parts of the forms of the interactive reference. */
type Children = readonly (Node | string)[];

/** Creates an element with properties and content. */
function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  children: Children = [],
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** A description, whose words in backticks are code. */
const withCode = (text: string): Children =>
  text.split('`').map((part, index) => (index % 2 === 0 ? part : element('code', {}, [part])));

/** A label with its control, and a hint below that the control refers to. */
function field(label: string, control: HTMLElement, hint = ''): HTMLElement {
  const name = element('label', {}, [label]);
  name.htmlFor = control.id;
  if (hint === '') return element('p', {}, [name, control]);
  const text = element('small', { id: `${control.id}-hint`, className: 'muted' }, withCode(hint));
  control.setAttribute('aria-describedby', text.id);
  return element('p', {}, [name, control, text]);
}

/** A part of the page that can be scrolled, so the keyboard must reach it. */
const code = (label: string, text: string) => {
  const box = element('pre', { tabIndex: 0, className: 'result' }, [text]);
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', label);
  return box;
};

/** A set of fields with a legend; nothing without fields. */
const group = (legend: string, fields: Children): Node[] =>
  fields.length === 0
    ? []
    : [element('fieldset', {}, [element('legend', {}, [legend]), ...fields])];

/** Fields below a line that shows them; nothing without fields. */
const folded = (summary: string, fields: Children): Node[] =>
  fields.length === 0
    ? []
    : [element('details', {}, [element('summary', {}, [summary]), ...fields])];

/**
 * The script of the interactive reference: a form for each operation of the OpenAPI document, and
 * the response to its request. It sends no request to another host, and keeps credentials in the
 * page only.
 */

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema?: { default?: unknown };
  example?: unknown;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: object[];
  'x-scope'?: string;
  servers?: { url: string }[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

interface OpenApi {
  servers: { url: string }[];
  security: object[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
}

interface Located {
  method: string;
  path: string;
  operation: Operation;
}

/** The key of the demo; nothing where the page has names in capital letters. */
const known = (value = '') => (/^(?:YOUR|OPERATOR)/.test(value) ? '' : value);

/** Takes the key of an operator only. */
const isForOperators = (operation: Operation) => operation['x-scope'] === 'operator';

class Reference {
  readonly #place: HTMLElement;
  readonly #document: OpenApi;
  readonly #operations: Located[];
  /** Credentials, kept while another operation is chosen. */
  readonly #credentials: Record<'access token' | 'client id', HTMLInputElement>;
  /** The API keys, kept likewise. */
  readonly #keys: Record<'merchant' | 'operator', Record<'token' | 'secret', HTMLInputElement>>;
  readonly #form = element('form');
  readonly #result = element('section', { id: 'response' });

  constructor(place: HTMLElement, api: OpenApi) {
    this.#place = place;
    this.#document = api;
    this.#operations = Object.entries(api.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) =>
        operation.operationId ? [{ method: method.toUpperCase(), path, operation }] : [],
      ),
    );
    const credential = (id: string, value = '') =>
      element('input', { id, value, autocomplete: 'off', spellcheck: false });
    this.#credentials = {
      'access token': credential('access-token'),
      'client id': credential('client-id'),
    };
    const { userToken, userSecret, operatorToken, operatorSecret } = place.dataset;
    const keyOf = (token?: string, secret?: string) => ({
      token: credential('user-token', known(token)),
      secret: credential('user-secret', known(secret)),
    });
    this.#keys = {
      merchant: keyOf(userToken, userSecret),
      operator: keyOf(operatorToken, operatorSecret),
    };
    this.#result.setAttribute('aria-label', 'Response');
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#send();
    });
  }

  /** Shows the choice of an operation, and the form of the one that the address names. */
  show() {
    const choice = element(
      'select',
      { id: 'operation' },
      this.#document.tags.map(({ name }) => {
        const group = element('optgroup', { label: name });
        for (const { method, path, operation } of this.#operations) {
          if (operation.tags[0] !== name) continue;
          const text = `${operation.summary} (${method} ${path})`;
          group.append(element('option', { value: operation.operationId }, [text]));
        }
        return group;
      }),
    );
    const follow = () => {
      const found = this.#find(decodeURIComponent(location.hash.slice(1)));
      if (!found) return;
      choice.value = found.operation.operationId;
      this.#showForm(found);
    };
    choice.addEventListener('change', () => {
      location.hash = choice.value;
    });
    addEventListener('hashchange', follow);
    this.#place.replaceChildren(field('Operation', choice), this.#form, this.#result);
    follow();
  }

  /**
   * Finds an operation by its id, or by the fragment of an earlier release:
   * `tag/user/POST/auth/me`.
   */
  #find(fragment: string): Located | undefined {
    return (
      this.#operations.find(({ operation }) => operation.operationId === fragment) ??
      this.#operations.find(({ method, path }) => fragment.endsWith(`/${method}${path}`)) ??
      this.#operations[0]
    );
  }

  #current: Located | undefined;
  #parameters: { parameter: Parameter; input: HTMLInputElement }[] = [];
  #body: { type: string; input: HTMLTextAreaElement } | undefined;

  #showForm(located: Located) {
    const { method, path, operation } = located;
    this.#current = located;
    this.#parameters = (operation.parameters ?? [])
      .map((one) => ('$ref' in one ? this.#parameterNamed(one.$ref) : one))
      .map((parameter, index) => ({ parameter, input: this.#inputOf(parameter, index) }));
    const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {});
    this.#body = type === undefined ? undefined : { type, input: bodyInput(type, media?.example) };
    const fieldsOf = (isWanted: (parameter: Parameter) => boolean) =>
      this.#parameters
        .filter(({ parameter }) => isWanted(parameter))
        .map(({ parameter: { name, description }, input }) => field(name, input, description));
    const optional = fieldsOf(({ required }) => !required);
    const { token, secret } = this.#keyOf(operation);
    const app = this.#credentials;
    const security = operation.security ?? this.#document.security;
    const holder = isForOperators(operation) ? 'Of an operator, made for operators.' : '';
    const key = [field('User-Token', token, holder), field('User-Secret-Key', secret)];
    const bearer = [
      field('Access token', app['access token'], 'Of an app; it then replaces the API key.'),
      field('X-Partner-Client-ID', app['client id']),
    ];
    const about = element('a', { href: `/docs/en#${operation.operationId}` }, [
      'All fields and errors',
    ]);
    this.#form.replaceChildren(
      element('h2', {}, [operation.summary]),
      element('p', { className: 'route' }, [
        element('span', { className: `method ${method.toLowerCase()}` }, [method]),
        ' ',
        element('code', {}, [path]),
      ]),
      ...(operation.description ?? '')
        .split('\n\n')
        .map((text) => element('p', {}, withCode(text))),
      element('p', {}, [about]),
      ...group('Credentials', security.length === 0 ? [] : key),
      ...folded('Access token of an app', security.length > 1 ? bearer : []),
      ...group(
        'Parameters',
        fieldsOf(({ required }) => required === true),
      ),
      ...folded('Optional parameters', optional),
      ...(this.#body ? group('Body', [field(this.#body.type, this.#body.input)]) : []),
      element('p', {}, [element('button', { type: 'submit' }, ['Send'])]),
    );
    this.#result.replaceChildren();
  }

  #keyOf(operation: Operation) {
    return this.#keys[isForOperators(operation) ? 'operator' : 'merchant'];
  }

  #parameterNamed(reference: string): Parameter {
    const name = reference.split('/').at(-1) ?? '';
    return this.#document.components.parameters[name] ?? { name, in: 'query' };
  }

  #inputOf({ name, required = false, example, schema }: Parameter, index: number) {
    // An optional parameter is sent when the reader fills it in.
    const value = !required ? '' : name === 'alias' ? known(this.#place.dataset.store) : example;
    const placeholder = schema?.default === undefined ? '' : String(schema.default);
    const id = `parameter-${index}`;
    return element('input', { id, required, placeholder, value: String(value ?? 1) });
  }

  /** Returns the request of the form. */
  #request(): Request | undefined {
    if (!this.#current) return undefined;
    const { method, path, operation } = this.#current;
    const headers = new Headers();
    const query = new URLSearchParams();
    let filled = path;
    for (const { parameter, input } of this.#parameters) {
      const { name } = parameter;
      if (parameter.in === 'path')
        filled = filled.replace(`{${name}}`, encodeURIComponent(input.value));
      else if (input.value === '') continue;
      else if (parameter.in === 'query') query.set(name, input.value);
      else headers.set(name, input.value);
    }
    const credentials = this.#credentials;
    if ((operation.security ?? this.#document.security).length === 0) {
      // Needs none.
    } else if (isForOperators(operation) || credentials['access token'].value === '') {
      const { token, secret } = this.#keyOf(operation);
      headers.set('User-Token', token.value);
      headers.set('User-Secret-Key', secret.value);
    } else {
      headers.set('Authorization', `Bearer ${credentials['access token'].value}`);
      headers.set('X-Partner-Client-ID', credentials['client id'].value);
    }
    if (this.#body) headers.set('Content-Type', this.#body.type);
    // Servers in the document have the public address; the page may ask its own host only.
    const [server] = operation.servers ?? this.#document.servers;
    const base = new URL(server?.url ?? '', location.href).pathname.replace(/\/$/, '');
    const search = query.size === 0 ? '' : `?${query}`;
    const body = this.#body && { body: this.#body.input.value };
    return new Request(`${base}${filled}${search}`, {
      method,
      headers,
      credentials: 'omit',
      ...body,
    });
  }

  async #send() {
    const request = this.#request();
    if (!request) return;
    const line = element('p', {}, ['Sending …']);
    line.setAttribute('role', 'status');
    this.#result.replaceChildren(element('h2', {}, ['Response']), line);
    try {
      const response = await fetch(request);
      const text = await response.text();
      line.replaceChildren(element('strong', {}, [String(response.status)]), ` ${response.url}`);
      const headers = Array.from(response.headers, ([name, value]) => `${name}: ${value}`);
      this.#result.append(
        code('Body of the response', indented(text)),
        ...folded('Headers', [code('Headers of the response', headers.join('\n'))]),
      );
    } catch (error) {
      line.replaceChildren(`The request failed: ${String(error)}`);
    }
  }
}

function bodyInput(type: string, example: unknown): HTMLTextAreaElement {
  const value =
    typeof example === 'string'
      ? example
      : type === 'application/x-www-form-urlencoded'
        ? new URLSearchParams(example as Record<string, string>).toString()
        : JSON.stringify(example, null, 2);
  const rows = Math.min(16, value.split('\n').length + 1);
  return element('textarea', { id: 'body', value, rows, spellcheck: false });
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const place = document.getElementById('reference');
if (place) {
  fetch('/openapi.json')
    .then((response) => response.json())
    .then((api: OpenApi) => new Reference(place, api).show())
    .catch((error: unknown) =>
      place.replaceChildren(
        element('p', {}, [`The OpenAPI document could not be read: ${String(error)}`]),
      ),
    );
}
