/** What this service knows of the gateways that an affiliation can name by their alias. */
const gateways = new Map([
  [
    'manual',
    {
      name: 'Manual',
      icon_url: null,
      allow_backup: false,
      installments_config: { allow_custom_installments: true, message: null, help_link: null },
      auth_type: 'none',
      params: { data: [] },
    },
  ],
]);

const unknown = {
  icon_url: null,
  allow_backup: false,
  installments_config: { allow_custom_installments: false, message: null, help_link: null },
  auth_type: 'none',
  params: { data: [] },
};

/** A gateway as an affiliation shows it (contract 3.11); one that this service does not have says so. */
export function gatewayOf(alias: string) {
  const known = gateways.get(alias);
  return { alias, gateway_exists: known !== undefined, ...(known ?? { ...unknown, name: alias }) };
}
