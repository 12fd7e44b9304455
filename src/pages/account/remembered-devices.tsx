import { forgetDevice } from '../../accounts/sign-in/remembered-devices.ts';
import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { browserPaths, securityPaths } from '../../base/page-paths.ts';
import { loadSecurity } from '../../data/directory/security-overview.ts';
import { DataTable } from '../../web/components/data-table.tsx';
import { FormattedDate } from '../../web/components/time.tsx';
import { confirmation } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';

type Device = NonNullable<Awaited<ReturnType<typeof loadSecurity>>>['devices'][number];

const nameOf = ({ device }: Pick<Device, 'device'>, { security }: Messages) =>
  device === '' ? security.sessions.unknownDevice : device;

/** Finds a remembered device of the user, else throws a 404. */
async function requireDevice(page: SignedInPage): Promise<Device> {
  const security = await loadSecurity(page.directory, page.user.id, page.now);
  const device = security?.devices.find(({ id }) => String(id) === page.param('id'));
  if (!device) throw notFound();
  return device;
}

/**
 * `/account/security/devices/{id}/forget`: the next sign-in of a device needs a code again. 404 for
 * other users.
 */
export const forgetDeviceForm = confirmation({
  path: securityPaths.forgetDevice(':id'),
  role: 'user',
  limit: 'pages',
  part: 'security',
  load: requireDevice,
  ask({ messages }, device) {
    const t = messages.security.overview;
    const question = t.forgetQuestion.replace('{device}', () => nameOf(device, messages));
    const paragraphs = [t.forgetConsequence];
    return { title: question, question, paragraphs, submit: t.forget, back: browserPaths.security };
  },
  async submit(page) {
    await forgetDevice(page.action, { userId: page.user.id, id: Number(page.param('id')) });
    return page.redirect(`${browserPaths.security}?done=forgotten`);
  },
});

/** The devices that need no second step, with a link to forget each. */
export const RememberedDevices = ({
  page,
  devices,
}: {
  page: SignedInPage;
  devices: readonly Device[];
}) => {
  const { language, messages } = page;
  const t = messages.security.overview;
  const date = (at: number) => <FormattedDate {...{ language, at }} zone={defaultZone} />;
  return (
    <section aria-labelledby="remembered">
      <h2 id="remembered">{t.remembered}</h2>
      <p class="measure">{t.rememberedLead}</p>
      {devices.length === 0 ? (
        <p>{t.rememberedNone}</p>
      ) : (
        <DataTable
          caption={t.rememberedCaption}
          rows={devices}
          columns={[
            { label: t.rememberedDevice, cell: (row) => <bdi>{nameOf(row, messages)}</bdi> },
            { label: t.rememberedSince, cell: ({ createdAt }) => date(createdAt) },
            { label: t.rememberedUsed, cell: ({ usedDay }) => date(usedDay) },
            { label: t.rememberedUntil, cell: ({ expiresAt }) => date(expiresAt) },
            {
              label: t.rememberedAction,
              hasActions: true,
              cell: (row) => (
                <a
                  href={securityPaths.forgetDevice(String(row.id))}
                  aria-label={t.forgetDevice.replace('{device}', () => nameOf(row, messages))}
                >
                  {t.forget}
                </a>
              ),
            },
          ]}
        />
      )}
    </section>
  );
};
