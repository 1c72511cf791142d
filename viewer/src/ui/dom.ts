/** Small helpers to make elements. */

type Child = Node | string;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | boolean | EventListener> = {},
  children: Child[] = [],
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export function html<K extends keyof HTMLElementTagNameMap>(tag: K, className: string, content: string): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.innerHTML = content;
  return element;
}

/** A select with a label that is read out, and seen when asked for. */
export function labelledSelect(label: string, options: { value: string; label: string }[], onChange: (value: string) => void, showLabel = true): { box: HTMLLabelElement; select: HTMLSelectElement } {
  const select = el('select', { change: () => onChange(select.value) }, options.map((o) => el('option', { value: o.value }, [o.label])));
  const box = el('label', { class: 'field' }, [el('span', { class: showLabel ? 'field-name' : 'hidden-label' }, [label]), select]);
  return { box, select };
}

export function download(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = el('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
