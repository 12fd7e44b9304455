/** Stands where a list would: says that there is nothing yet and what to do next. */
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
