/** Replaces an empty list: says that it has no entries yet, and names the next action. */
export const EmptyState = ({
  text,
  link,
}: {
  text: string;
  link?: { href: string; text: string } | undefined;
}) => (
  <div class="empty">
    <p>{text}</p>
    {link && (
      <p class="actions">
        <a class="button plain" href={link.href}>
          {link.text}
        </a>
      </p>
    )}
  </div>
);
