const [barWidth, gap, height] = [6, 2, 24];

/** Bars of few values without an axis, beside what they are about. Its text says what they show. */
export const SparkLine = ({ values, text }: { values: readonly number[]; text: string }) => {
  const highest = Math.max(...values, 1);
  const width = values.length * (barWidth + gap) - gap;
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={text}
    >
      {values.map((value, index) => {
        const bar = value === 0 ? 1 : Math.max(3, (value / highest) * height);
        const [x, y] = [index * (barWidth + gap), (height - bar).toFixed(1)];
        return (
          <rect
            class={value === 0 ? 'none' : undefined}
            {...{ x, y }}
            width={barWidth}
            height={bar.toFixed(1)}
          />
        );
      })}
    </svg>
  );
};
