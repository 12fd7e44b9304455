/** What has just been done, said once at the top of the page that follows. */
export const News = ({ text }: { text?: string | undefined }) =>
  text ? (
    <p class="notice" role="status">
      {text}
    </p>
  ) : null;
