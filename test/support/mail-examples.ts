import type { MailData, MailKind } from '../../src/mail/kinds.ts';

/** The origin of the links in the examples. */
export const linkOrigin = 'https://app.test';

type MailExample = { [K in MailKind]: { kind: K; data: MailData[K] } }[MailKind];

const example = <K extends MailKind>(kind: K, data: MailData[K]) => ({ kind, data }) as MailExample;

const token = 'a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8s9t0u1v';
const store = 'Loja Nova';

/** A mail of every kind, and of every form of a kind. */
export const mailExamples: readonly MailExample[] = [
  ...(['user', 'store', 'partner'] as const).map((kind) =>
    example('invitation', {
      inviter: 'Maria',
      kind,
      ...(kind === 'store' && { store, role: 'manager' as const }),
      link: `${linkOrigin}/invitations/${token}`,
    }),
  ),
  example('sign_up', { link: `${linkOrigin}/e-mail/confirm?token=${token}` }),
  example('sign_up_known', { link: `${linkOrigin}/password/forgotten` }),
  example('password_reset', { link: `${linkOrigin}/password/reset?token=${token}` }),
  example('password_changed', {}),
  example('email_change_requested', { newEmail: 'maria.nova@loja.test' }),
  example('email_confirmation', { link: `${linkOrigin}/e-mail/confirm?token=${token}` }),
  example('email_changed', {
    newEmail: 'maria.nova@loja.test',
    link: `${linkOrigin}/e-mail/undo?token=${token}`,
  }),
  example('email_change_undone', {
    lines: [
      {
        texts: {
          en: 'Ended or put back: Invited {target} (loja-nova)',
          'pt-BR': 'Encerrado ou desfeito: Convidou {target} (loja-nova)',
          es: 'Terminado o deshecho: Invitó a {target} (loja-nova)',
        },
        target: 'ana@pessoas.test',
      },
    ],
  }),
  example('doors_shut', {}),
  example('new_sign_in', { country: 'AR', device: 'Firefox, Linux' }),
  example('new_sign_in', { country: '', device: 'Firefox, Linux' }),
  example('api_key_created', { name: 'ERP', lastFour: 'x7Qa' }),
  example('api_key_revoked', {
    name: 'ERP',
    lastFour: 'x7Qa',
    reason: 'It stood in a public file',
  }),
  example('recovery_code_used', { left: 9 }),
  example('user_deactivated', { reason: 'Spam was sent from it' }),
  ...(['on', 'off', 'codes', 'removed'] as const).map((change) =>
    example('second_factor_changed', { change }),
  ),
  ...(['added', 'removed', 'blocked'] as const).map((change) =>
    example('passkey_changed', { change, name: 'My phone' }),
  ),
  example('device_remembered', { device: 'Firefox, Linux' }),
  example('codes_guessed', { count: 20 }),
  example('second_factor_removal', {
    link: `${linkOrigin}/second-factor/keep?token=${token}`,
    reason: 'The phone is lost.',
  }),
  example('store_erasure_ordered', {
    store,
    reason: 'By order of a court.',
    date: null,
  }),
  example('store_erasure_ordered', {
    store,
    reason: 'By order of a court.',
    date: Date.UTC(2026, 2, 1),
  }),
  example('app_connected', { app: 'ERP Connect', publisher: 'Bancada', store }),
  example('app_disconnected', { app: 'ERP Connect', store }),
  example('app_changed', {
    app: 'ERP Connect',
    member: 'Rui',
    change: 'address',
    host: 'erp.parceiro.test',
  }),
  example('app_changed', { app: 'ERP Connect', member: 'Rui', change: 'secret', host: '' }),
  example('app_disabled', { app: 'ERP Connect', reason: 'Its logo imitates a bank' }),
  example('member_invited', {
    email: 'joao@loja.test',
    store,
    role: 'viewer',
    reason: 'Asked for by phone',
  }),
  example('member_added', { member: 'João', store, role: 'viewer' }),
  example('member_removed', { member: 'João', store }),
  example('you_were_removed', { store }),
  example('role_changed', { store, role: 'viewer', by: 'Ana' }),
  example('ownership_handed_over', { store, member: 'João' }),
  example('webhook_destination', { store, host: 'hooks.loja.test' }),
  example('webhook_failing', { store, host: 'hooks.loja.test', hours: 24 }),
  example('webhook_switched_off', { store, host: 'hooks.loja.test' }),
  example('app_webhook_switched_off', { app: 'ERP Connect', host: 'hooks.parceiro.test' }),
  example('event_budget', { store, percent: 80, budget: 200_000_000 }),
  example('export_ready', { store, link: `${linkOrigin}/account/stores/nova/exports/7` }),
  example('store_made', { store, by: 'Olga' }),
  example('store_deactivated', { store, reason: 'The invoice was not paid.' }),
  example('store_reactivated', { store }),
  example('store_closing', { store, date: Date.UTC(2027, 0, 5, 12) }),
  example('operator_made', {}),
  example('operator_added', { by: 'Olga', userId: 7, reason: 'She joins the night shift.' }),
  ...[null, Date.UTC(2026, 2, 1)].map((date) =>
    example('store_erasure_told', {
      by: 'Olga',
      store,
      storeId: 7,
      reason: 'By order of a court.',
      date,
    }),
  ),
];
