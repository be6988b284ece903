/*
 * Heat maps of all caches: for instructions and for data, and for each line size, a field per size
 * and number of ways. The darker, the more of the lookups miss, on a scale of powers of ten. An SVG
 * file that stands on its own.
 */
#include <math.h>
#include <string.h>

#include "explore/cache_study.h"
#include "gumshoe/text.h"
#include "report/names.h"

enum {
    FIELD_WIDTH = 34,
    FIELD_HEIGHT = 20,
    LEFT = 60,
    TOP = 80,
    MAP_WIDTH = WAY_COUNT * FIELD_WIDTH + 24,
    MAP_HEIGHT = SIZES * FIELD_HEIGHT + 70,
    WIDTH = LEFT + LINES * MAP_WIDTH + 10,
};

/* A miss in ten lookups or more is as dark as it gets; one in a million is white. */
static unsigned lightness(double rate)
{
    const double decades = rate <= 1e-6 ? 0 : log10(rate) + 6;
    return 100 - (unsigned)((decades > 5 ? 5 : decades) * 11);
}

static void put_field(FILE *to, int x, int y, const gs_cache_misses *m, const gs_cache_shape *shape)
{
    const double lookups = (double)(m->reads + m->writes);
    const double misses = (double)(m->read_misses + m->write_misses);
    const double rate = lookups > 0 ? misses / lookups : 0;
    const unsigned light = lightness(rate);
    fprintf(to,
            "<g><title>%u bytes, lines of %u, %u-way: %.0f misses, %.4g%%</title>"
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"hsl(212,70%%,%u%%)\" "
            "stroke=\"#999\" stroke-width=\"0.5\"/>"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"9\"%s>%.3g</text></g>\n",
            shape->size, shape->line, shape->ways, misses, 100 * rate, x, y, FIELD_WIDTH,
            FIELD_HEIGHT, light, x + FIELD_WIDTH / 2, y + 14, light < 65 ? " fill=\"white\"" : "",
            100 * rate);
}

static void put_map(FILE *to, const gs_cache_study *study, bool data, uint32_t line, int x, int y)
{
    fprintf(to, "<text x=\"%d\" y=\"%d\">lines of %u bytes</text>\n", x, y - 20, line);
    for (int w = 0; w < WAY_COUNT; w++)
        fprintf(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"9\">%d</text>\n",
                x + w * FIELD_WIDTH + FIELD_WIDTH / 2, y - 5, 1 << w);
    for (int s = 0; s < SIZES; s++) {
        for (int w = 0; w < WAY_COUNT; w++) {
            const gs_cache_shape shape = {(uint32_t)GS_STUDY_MIN_SIZE << s, line, 1u << w};
            gs_cache_misses misses;
            if (gs_cache_study_misses(study, data, &shape, &misses))
                put_field(to, x + w * FIELD_WIDTH, y + s * FIELD_HEIGHT, &misses, &shape);
        }
    }
}

gs_status gs_report_caches_svg(FILE *to, const gs_cache_report *report, gs_error *err)
{
    const gs_cache_study *study = report->study;
    const int first = gs_cache_study_no_instructions(study) != NULL;
    const int height = TOP + (2 - first) * MAP_HEIGHT;
    const char *name = gs_image_name(gs_machine_image(report->machine));
    const char *slash = strrchr(name, '/');
    fprintf(to,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text x=\"10\" y=\"22\" font-size=\"16\">",
            WIDTH, height, WIDTH, height);
    gs_report_put_xml(to, slash ? slash + 1 : name);
    fputs(" on ", to);
    gs_report_put_xml(to, study->core->name);
    fputs(": lookups that miss, in percent, by size and number of ways</text>\n", to);
    for (int data = first, top = TOP; data < 2; data++, top += MAP_HEIGHT) {
        fprintf(to, "<text x=\"10\" y=\"%d\" font-weight=\"bold\">%s caches</text>\n", top - 38,
                data ? "Data" : "Instruction");
        for (int s = 0; s < SIZES; s++)
            fprintf(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d%s</text>\n", LEFT - 6,
                    top + s * FIELD_HEIGHT + 14, s < 2 ? 256 << s : 1 << (s - 2),
                    s < 2 ? "" : " KB");
        for (int l = 0; l < LINES; l++)
            put_map(to, study, data, (uint32_t)GS_STUDY_MIN_LINE << l, LEFT + l * MAP_WIDTH, top);
    }
    fputs("</svg>\n", to);
    return gs_report_end(to, err);
}
