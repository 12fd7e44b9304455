import * as z from 'zod';
import { isMember } from '../../accounts/members/invite.ts';
import { toFieldErrors } from '../../base/codecs/field-errors.ts';
import { pathId } from '../../base/codecs/fields/ids.ts';
import { cleanFormLine } from '../../base/codecs/fields/normalize-text.ts';
import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { HttpError, notFound, ValidationError } from '../../base/errors.ts';
import { operatorPaths } from '../../base/page-paths.ts';
import { assignableRoles, Role } from '../../base/roles.ts';
import type { UserState } from '../../data/directory/user-overview.ts';
import type { Closer } from '../../data/schema/directory/directory-tables.ts';
import { specialPathParam, type Operation } from '../../http/operation.ts';
import { jobOperations } from '../../ops/operator/jobs.ts';
import { blockedHostOperations, operatedAppOperations } from '../../ops/operator/service.ts';
import { operatedStoreOperations } from '../../ops/operator/stores.ts';
import { operatedUserOperations } from '../../ops/operator/users.ts';
import { Interpolate } from '../../web/components/inline-text.tsx';
import type { FieldView } from '../../web/forms/form-page.tsx';
import { fieldIssue } from '../../web/forms/form-values.ts';
import { confirmation, type Refusal, userForm } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';

const operations = new Map(
  [
    ...operatedStoreOperations,
    ...operatedUserOperations,
    ...operatedAppOperations,
    ...blockedHostOperations,
    ...jobOperations,
  ].map((operation) => [operation.id, operation]),
);

function operationOf(id: string): Operation {
  const operation = operations.get(id);
  if (!operation) throw new Error(`no operation ${id}`);
  return operation;
}

type Texts = Messages['operator'];

/**
 * An operation of operators that has a page of its own; the texts of the page stand under its id.
 */
export type OperatorActionId = keyof Texts['actions'];

/** An action that a page of a record offers. */
export interface OperatorAction {
  id: OperatorActionId;
  /** The last segment of the path of its page. */
  segment: string;
  isDangerous: boolean;
}

const action = (id: OperatorActionId, segment: string): OperatorAction => ({
  id,
  segment,
  isDangerous: operationOf(id).isDangerous === true,
});

/** The values that decide which actions a store allows. */
interface OperableStore {
  state: 'active' | 'deactivated' | 'closed' | 'erased';
  /** Whether an operator has deactivated it, also while it is closed. */
  isLocked: boolean;
  closedBy: Closer | null;
  /** Whether the owner has no password yet. */
  isOwnerInvited: boolean;
}

/** The erasures, which ask for the name of what they erase. */
const erases = new Set<OperatorActionId>(['eraseStore', 'confirmStoreErasure', 'eraseUser']);

const isAny = () => true;

/**
 * The actions on a store, in the order of its page, each with the condition that allows it; none on
 * an erased store.
 */
const storeActions: readonly (readonly [OperatorAction, (store: OperableStore) => boolean])[] = [
  [action('inviteOwner', 'invite-owner'), ({ isOwnerInvited }) => isOwnerInvited],
  [action('inviteMember', 'invite'), isAny],
  [action('renameStore', 'rename'), isAny],
  [action('setStoreLimits', 'limits'), isAny],
  [action('exportStore', 'export'), isAny],
  [action('moveStore', 'move'), isAny],
  [action('deactivateStore', 'deactivate'), ({ isLocked }) => !isLocked],
  [action('reactivateStore', 'reactivate'), ({ isLocked }) => isLocked],
  [action('closeStore', 'close'), ({ closedBy }) => closedBy !== 'operator'],
  [action('reopenStore', 'reopen'), ({ state }) => state === 'closed'],
  [action('eraseStore', 'erase'), isAny],
];

/** The actions on a user: on an active user, an inactive user, an operator. */
const userActions = {
  reset: action('sendPasswordReset', 'password-reset'),
  endSessions: action('endSessions', 'end-sessions'),
  removeFactor: action('removeSecondFactor', 'remove-second-factor'),
  make: action('makeOperator', 'make-operator'),
  revoke: action('revokeOperator', 'revoke-operator'),
  deactivate: action('deactivateUser', 'deactivate'),
  erase: action('eraseUser', 'erase'),
  reactivate: action('reactivateUser', 'reactivate'),
};

const appActions = {
  disable: action('disableApp', 'disable'),
  enable: action('enableApp', 'enable'),
};

/** The action on a blocked host. */
export const unblockAction = action('unblockHost', 'unblock');

/** The actions that the state of a store allows. */
export const actionsOfStore = (store: OperableStore): OperatorAction[] =>
  storeActions.flatMap(([one, isAllowed]) =>
    store.state !== 'erased' && isAllowed(store) ? [one] : [],
  );

/** The actions that the state of a user allows; none on an erased one. */
export function actionsOfUser({
  state,
  isOperator,
  hasSecondFactor,
}: {
  state: UserState;
  isOperator: boolean;
  hasSecondFactor: boolean;
}): OperatorAction[] {
  const { reset, endSessions, removeFactor, make, revoke, deactivate, erase, reactivate } =
    userActions;
  const revokes = isOperator ? [revoke] : [];
  // The password alone must never open the pages of operators.
  const removes = hasSecondFactor && !isOperator ? [removeFactor] : [];
  if (state === 'erased') return [];
  return state !== 'inactive'
    ? [reset, endSessions, ...removes, ...(isOperator ? [] : [make]), ...revokes, deactivate, erase]
    : [...revokes, erase, reactivate];
}

/** The action that the state of an app allows. */
export const actionsOfApp = (state: string): OperatorAction[] => [
  state === 'disabled' ? appActions.enable : appActions.disable,
];

/** The sentence that says what the form before this page did, and what follows. */
export function doneOf(page: SignedInPage): string | undefined {
  const { actions, created } = page.messages.operator;
  const id = page.query('done') ?? '';
  if (Object.hasOwn(created, id)) return created[id as keyof typeof created];
  return Object.hasOwn(actions, id) ? actions[id as OperatorActionId].done : undefined;
}

/** The record that an action is about. */
interface Target {
  name: string;
  /** Of a store. */
  alias?: string;
  /** Of a user, or of the owner of a store. */
  email?: string;
  /** Of the owner of a store. */
  owner_state?: string;
  /** Of a store. */
  event_budget?: number | null;
  requests_per_minute?: number | null;
}

interface OperatorActionPage {
  path: string;
  part: `operator/${'stores' | 'users' | 'apps' | 'hosts' | 'overview'}`;
  /** The page that Cancel leads to. */
  backOf: (page: SignedInPage) => string;
  /** Loads the record of the path. Throws a 404. */
  load: (page: SignedInPage) => Promise<Target>;
  /** The ids of the operation, where its path has others than the page. Throws a 404. */
  idsOf?: (page: SignedInPage) => Promise<Readonly<Record<string, number>>>;
  /** Counts whom and what an action that ends something concerns. */
  count?: ((page: SignedInPage) => Promise<Concerned>) | undefined;
}

/** How many stores, people, and requests of a week an action concerns. */
export interface Concerned {
  stores?: number;
  people?: number;
  requests: number;
}

/** The actions whose purpose is a mail. */
const sendsMail = new Set<OperatorActionId>(['inviteMember', 'inviteOwner', 'sendPasswordReset']);

/**
 * The page of an operation of operators: it asks for a proof of who they are, takes the reason and
 * the fields, and reports obstacles. It runs the operation, so page, API and command line have one
 * effect, one check of the fields and one line of the audit.
 */
function actionForm(
  id: OperatorActionId,
  { path, part, backOf, load, idsOf, count }: OperatorActionPage,
) {
  const operation = operationOf(id);
  const { isDangerous = false } = operation;
  return confirmation({
    path,
    role: 'operator',
    ...(takesReason(operation) && { proof: true }),
    limit: sendsMail.has(id) ? 'invitations' : 'pages',
    ...((id === 'sendPasswordReset' || id === 'inviteOwner') && {
      mailTo: async (page: SignedInPage) => (await load(page)).email ?? '',
    }),
    part,
    load: async (page) => ({
      target: await load(page),
      concerned: isDangerous ? await count?.(page) : undefined,
    }),
    fields: (messages, page) => bodyOf(operation, messages, page),
    ask(page, { target, concerned }) {
      const { name } = target;
      const { operator } = page.messages;
      const t = operator.actions[id];
      const counts = (['stores', 'people', 'requests'] as const).flatMap((what) => {
        const number = concerned?.[what]?.toLocaleString(page.language);
        return number === undefined ? [] : [operator.concerned[what].replace('{count}', number)];
      });
      return {
        question: <Interpolate text={t.question} parts={{ name: <bdi>{name}</bdi> }} />,
        paragraphs: [t.lead, ...(counts.length > 0 ? [counts.join(' · ')] : [])],
        fields: [
          ...viewsOf(operation, page.messages, target),
          ...(takesReason(operation) ? [reasonView(page.messages)] : []),
          ...(erases.has(id)
            ? [
                {
                  name: 'typed',
                  label: operator.forms.typed.replace('{name}', () => typedNameOf(target)),
                  type: 'text',
                } as const,
              ]
            : []),
        ],
        submit: t.link,
        isDangerous,
        back: backOf(page),
        isWide: true,
      };
    },
    async submit(page, { typed, ...body }) {
      if (erases.has(id) && typed !== typedNameOf(await load(page))) {
        return { errors: [{ field: 'typed', text: page.messages.operator.forms.typedWrong }] };
      }
      // For the operation, a second invitation of a member changes nothing; the page reports that
      // they are one.
      if (id === 'inviteMember' && (await invitesMember(page, body))) {
        return refuse(page, 'already_member');
      }
      if (id === 'inviteOwner' && (await load(page)).owner_state !== 'invited') {
        return refuse(page, 'already_member');
      }
      try {
        await run(operation, page, body, await idsOf?.(page));
      } catch (error) {
        return refusalOf(page, error);
      }
      return page.redirect(`${backOf(page)}?done=${id}`);
    },
  });
}

/** Whether the address of an invitation is that of a member, however many the store has. */
function invitesMember(page: SignedInPage, body: unknown): Promise<boolean> {
  const { email } = z.object({ email: z.string() }).parse(body);
  return isMember(page.action, page.id('id'), email);
}

/** The page of an operation that creates a record. It leads to the new record. */
function createForm(
  id: 'createStore' | 'createUser' | 'blockHost',
  path: string,
  kind: 'stores' | 'users' | 'hosts',
  recordPath: (recordId: number) => string,
) {
  const operation = operationOf(id);
  return userForm({
    path,
    role: 'operator',
    proof: true,
    ...(kind === 'hosts'
      ? { limit: 'pages' }
      : { limit: 'invitations', mailField: kind === 'users' ? 'email' : 'owner_email' }),
    part: `operator/${kind}`,
    fields: (messages, page) => bodyOf(operation, messages, page),
    view({ messages }) {
      const { forms, ...operator } = messages.operator;
      const title = operator[kind].create;
      return {
        title,
        paragraphs: kind === 'users' ? [forms.userLead] : kind === 'hosts' ? [forms.hostLead] : [],
        fields: [...viewsOf(operation, messages), reasonView(messages)],
        submit: title,
        back: operatorPaths[kind],
      };
    },
    async submit(page, { typed: _typed, ...body }) {
      try {
        const made = await run(operation, page, body);
        const { id: recordId } = z.object({ id: z.int() }).parse(made);
        return page.redirect(`${recordPath(recordId)}?done=${id}`);
      } catch (error) {
        return refusalOf(page, error);
      }
    },
  });
}

/**
 * Runs an operation with the ids of the path, or with others. Throws a 404 for a record that does
 * not exist.
 */
async function run(
  operation: Operation,
  page: SignedInPage,
  body: unknown,
  ids: Readonly<Record<string, unknown>> = idsOfPath(operation, page),
): Promise<unknown> {
  const input = { action: page.action, ids, body };
  // Operations of operators that change something take no other input.
  const result: unknown = await operation.run(input as Parameters<Operation['run']>[0]);
  if (result === undefined) throw notFound();
  return result;
}

const idsOfPath = ({ pathParams }: Operation, page: SignedInPage) =>
  Object.fromEntries(
    pathParams.map((name) => {
      const { data } = (specialPathParam(name)?.schema ?? pathId).safeParse(page.param(name));
      if (data === undefined) throw notFound();
      return [name, data];
    }),
  );

/** The schemas of the fields of a body. */
function shapeOf({ body }: Operation): Readonly<Record<string, z.ZodType>> {
  const schema = body instanceof z.ZodOptional ? body.unwrap() : body;
  return schema instanceof z.ZodObject ? schema.shape : {};
}

/** Whether an operation takes a reason: a change does, its cancellation does not. */
const takesReason = (operation: Operation) => Object.hasOwn(shapeOf(operation), 'reason');

/** Whether a field has a label; pages take the others from elsewhere, or do not offer them. */
const hasField = (name: string, { forms }: Texts): name is keyof Texts['forms']['errors'] =>
  Object.hasOwn(forms.errors, name);

/** The first values of fields. */
const initialValues: Readonly<Record<string, string>> = {
  role: Role.viewer,
  timezone: defaultZone,
};

/** The fields of a body that have a label. A field with few values is a list of them. */
const viewsOf = (
  operation: Operation,
  { operator, members }: Messages,
  { event_budget, requests_per_minute }: Partial<Target> = {},
): FieldView[] => {
  // An empty one takes the limit away, so that of the store stands there.
  const stored: Readonly<Record<string, number | null | undefined>> = {
    event_budget,
    requests_per_minute,
  };
  const { forms } = operator;
  const hints: Readonly<Record<string, unknown>> = forms;
  const lists: Partial<Record<string, readonly (string | { value: string; text: string })[]>> = {
    timezone: [...Intl.supportedValuesOf('timeZone'), 'UTC'],
    role: assignableRoles.map((value) => ({ value, text: members.roles.names[value] })),
  };
  return Object.entries(shapeOf(operation)).flatMap(([name, schema]) => {
    if (!hasField(name, operator)) return [];
    const hint = hints[`${name}Hint`];
    const field = {
      name,
      label: forms[name],
      ...(typeof hint === 'string' && { hint }),
      isOptional: schema.safeParse(undefined).success,
      value: String(stored[name] ?? initialValues[name] ?? ''),
    };
    if (name === 'immediately') {
      const option = { value: 'true', text: forms.immediatelyOption };
      return {
        name,
        label: field.label,
        hint: forms.immediatelyHint,
        type: 'checkboxes',
        options: [option],
      };
    }
    const options = lists[name];
    if (options) return { ...field, type: 'select', options };
    return { ...field, type: name.endsWith('email') ? 'email' : 'text' };
  });
};

/** The name that an erasure asks for: the alias of a store, the name of a user. */
const typedNameOf = ({ alias, name }: Target) => alias ?? name;

const reasonView = ({ common }: Messages): FieldView => ({
  name: 'reason',
  label: common.reason,
  hint: common.reasonHint,
  type: 'text',
});

const maxReason = 500;

/** The value of a field as the operation takes it. */
function readValue(name: string, text: string): string | number | boolean {
  if (name === 'immediately') return text === 'true';
  const isNumber = ['shard', 'event_budget', 'requests_per_minute'].includes(name);
  return isNumber && /^\d{1,13}$/.test(text) ? Number(text) : text;
}

/**
 * Converts a form to the body of an operation, by its schema, or to a sentence beside each wrong
 * field.
 */
const bodyOf = (operation: Operation, { common, operator }: Messages, page: SignedInPage) =>
  z
    .record(z.string(), z.unknown())
    .transform((sent, { issues }): Readonly<Record<string, unknown>> => {
      const typed = String(sent['typed'] ?? '').trim();
      const shape = shapeOf(operation);
      const values: Record<string, unknown> = {};
      for (const [name, schema] of Object.entries(shape)) {
        if (name === 'language') values[name] = page.language;
        const text = String(sent[name] ?? '').trim();
        const isAbsent = text === '' && schema.safeParse(undefined).success;
        if (hasField(name, operator) && !isAbsent) {
          values[name] = readValue(name, text);
        }
      }
      if (!takesReason(operation)) return { ...(operation.body?.parse(values) as object), typed };
      const text = String(sent['reason'] ?? '').trim();
      const reason = cleanFormLine(text, maxReason);
      if (reason) values['reason'] = reason;
      const { data, error } = operation.body?.safeParse(values) ?? {};
      const errors = error ? fieldErrors(toFieldErrors(error), operator) : [];
      for (const { field, text } of errors) issues.push(fieldIssue('', text, field));
      // The reason is the last field, so its error is the last as well.
      if (!reason) {
        const error = text === '' || reason === '' ? common.reasonMissing : common.reasonLong;
        issues.push(fieldIssue(text, error, 'reason'));
      }
      return { ...(data as object | undefined), typed };
    });

/** The sentences for the wrong fields. */
const fieldErrors = (errors: Readonly<Record<string, unknown>>, texts: Texts) =>
  Object.keys(errors).flatMap((field) =>
    hasField(field, texts) ? [{ field, text: texts.forms.errors[field] }] : [],
  );

const refuse = ({ messages }: SignedInPage, code: keyof Texts['refused']): Refusal => ({
  errors: [{ text: messages.operator.refused[code] }],
  status: 409,
});

/**
 * Converts an error of an operation to messages of the page: beside fields (422), or above them
 * (409). Throws all other errors again.
 */
function refusalOf(page: SignedInPage, error: unknown): Refusal {
  const isInvalid = error instanceof ValidationError;
  if (!isInvalid && !(error instanceof HttpError && [409, 422].includes(error.status))) throw error;
  const { operator } = page.messages;
  const errors = fieldErrors(error.errors ?? {}, operator);
  if (errors.length > 0 && (isInvalid || error.status === 422)) return { errors };
  // The code of an error is a key where there is a sentence for it.
  const code = isInvalid ? 'other' : error.code;
  return refuse(
    page,
    Object.hasOwn(operator.refused, code) ? (code as keyof Texts['refused']) : 'other',
  );
}

/** Loads the records that actions are about. */
interface Loaders {
  store: OperatorActionPage['load'];
  /** The erasure of the path. */
  erasure: NonNullable<OperatorActionPage['idsOf']>;
  member: OperatorActionPage['load'];
  user: OperatorActionPage['load'];
  key: OperatorActionPage['load'];
  app: OperatorActionPage['load'];
  host: OperatorActionPage['load'];
  database: OperatorActionPage['load'];
  counts: Record<'store' | 'user' | 'app', (page: SignedInPage) => Promise<Concerned>>;
}

/** The pages of all operations of operators that change something. */
export function actionPages({
  store,
  erasure,
  member,
  user,
  key,
  app,
  host,
  database,
  counts,
}: Loaders) {
  const formsOf = (
    actions: readonly OperatorAction[],
    part: OperatorActionPage['part'],
    pathOf: (id: number | string) => string,
    load: OperatorActionPage['load'],
    count?: OperatorActionPage['count'],
  ) =>
    actions.map(({ id, segment }) =>
      actionForm(id, {
        path: `${pathOf(':id')}/${segment}`,
        part,
        backOf: (page) => pathOf(page.id('id')),
        load,
        count,
      }),
    );
  const { newStore, newUser, store: storePath, user: userPath, app: appPath } = operatorPaths;
  return {
    create: [
      createForm('createStore', newStore, 'stores', storePath),
      createForm('createUser', newUser, 'users', userPath),
    ],
    store: [
      actionForm('removeMember', {
        path: operatorPaths.removeMember(':id', ':user_id'),
        part: 'operator/stores',
        backOf: (page) => storePath(page.id('id')),
        load: member,
      }),
      actionForm('confirmStoreErasure', {
        path: `${operatorPaths.erasure(':id', ':jobId')}/confirm`,
        part: 'operator/stores',
        backOf: (page) => storePath(page.id('id')),
        load: store,
        count: counts.store,
      }),
      actionForm('cancelJob', {
        path: `${operatorPaths.erasure(':id', ':jobId')}/cancel`,
        part: 'operator/stores',
        backOf: (page) => storePath(page.id('id')),
        load: store,
        idsOf: erasure,
      }),
      actionForm('purgeStoreMove', {
        path: operatorPaths.purgeMove(':id', ':jobId'),
        part: 'operator/stores',
        backOf: (page) => storePath(page.id('id')),
        load: store,
      }),
      ...formsOf(
        storeActions.map(([one]) => one),
        'operator/stores',
        storePath,
        store,
        counts.store,
      ),
    ],
    user: [
      actionForm('revokeKey', {
        path: operatorPaths.revokeKey(':id', ':key_id'),
        part: 'operator/users',
        backOf: (page) => userPath(page.id('id')),
        load: key,
      }),
      ...formsOf(Object.values(userActions), 'operator/users', userPath, user, counts.user),
    ],
    app: formsOf(Object.values(appActions), 'operator/apps', appPath, app, counts.app),
    host: [
      createForm('blockHost', operatorPaths.newHost, 'hosts', () => operatorPaths.hosts),
      actionForm(unblockAction.id, {
        path: `${operatorPaths.host(':id')}/${unblockAction.segment}`,
        part: 'operator/hosts',
        backOf: () => operatorPaths.hosts,
        load: host,
      }),
    ],
    database: [
      actionForm('drainShard', {
        path: operatorPaths.drain(':number'),
        part: 'operator/overview',
        backOf: () => operatorPaths.overview,
        load: database,
      }),
    ],
  };
}
