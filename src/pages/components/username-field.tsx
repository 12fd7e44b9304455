/** Names the account of a password to password managers; nobody sees or reaches it. */
export const UsernameField = ({ username, label }: { username: string; label: string }) => (
  <input
    type="text"
    class="visually-hidden"
    value={username}
    autocomplete="username"
    readonly
    tabindex={-1}
    aria-label={label}
  />
);
