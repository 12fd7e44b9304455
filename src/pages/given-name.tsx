const longest = 80;

/**
 * A name that somebody else chose, such as that of an app: text alone, cut at 80 characters, and kept from
 * turning the writing direction of what stands around it.
 */
export const GivenName = ({ name }: { name: string }) => {
  const characters = Array.from(name);
  const isCut = characters.length > longest;
  return <bdi class="name">{isCut ? `${characters.slice(0, longest - 1).join('')}…` : name}</bdi>;
};
