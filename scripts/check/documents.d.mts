export function readDocuments(
  folder: string,
  fixture: { documents: Record<string, { title: string; sha256: string }> },
): Map<string, string>;
