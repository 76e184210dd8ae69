/**
 * Replaces `$(NAME)` by the value of NAME, as the API defines it for commands, arguments and values of variables: an unknown
 * name stays as it is, `$$(NAME)` gives a literal `$(NAME)`.
 */
export function expand(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$(\$|\(([^()]*)\))/g, (whole, inner: string, name: string | undefined) => {
    if (inner === '$') return '$';
    return name !== undefined && Object.hasOwn(values, name) ? (values[name] ?? whole) : whole;
  });
}
