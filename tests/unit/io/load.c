/* SPDX-License-Identifier: BSD-3-Clause */
/* Models from files and built-in ones, files that extend others, and values set by path. */
#include "check.h"
#include "model/model.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static HolModel *model;
static char folder[256];

static bool begin(void)
{
    model = hol_model_create();
    return CHECK(model != NULL);
}

static void end(void)
{
    hol_model_destroy(model);
}

/* The node at a path of names, which may be long. */
static const HolNode *at(const char *path)
{
    char copy[256], *rest = copy;
    snprintf(copy, sizeof copy, "%s", path);
    const HolNode *node = model->root;
    for (char *name = strtok_r(rest, ".", &rest); name && node; name = strtok_r(NULL, ".", &rest))
        node = hol_node_find(node, name);
    return node;
}

static const char *text_at(const char *path)
{
    const HolNode *node = at(path);
    return node ? node->text : NULL;
}

static void check_only_error(const char *sentence)
{
    CHECK_STRING(hol_model_error(model, 0), sentence);
    CHECK_EQUAL_INT(hol_model_error_count(model), 1);
}

/* Files live in a folder of the test's own. */

static const char *path_of(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "wb");
    if (!CHECK(file != NULL))
        return;
    fputs(text, file);
    fclose(file);
}

static bool begin_with_files(void)
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/holon-load-XXXXXX", parent ? parent : "/tmp");
    return CHECK(mkdtemp(folder) != NULL) && CHECK(mkdir(path_of("inner"), 0700) == 0) && begin();
}

static void end_with_files(void)
{
    static const char *const names[] = {"base.yaml", "model.yaml", "inner/a.yaml", "inner/b.yaml"};
    for (int i = 0; i < 4; i++)
        remove(path_of(names[i]));
    for (int i = 0; i < 20; i++) {
        char name[32];
        snprintf(name, sizeof name, "m%d.yaml", i);
        remove(path_of(name));
    }
    CHECK(rmdir(path_of("inner")) == 0 && rmdir(folder) == 0);
    end();
}

static HolStatus load(const char *name)
{
    return hol_model_load(model, path_of(name));
}

/* The first sentence without the folder, which is another one in each run. */
static const char *first_error(void)
{
    static char text[1000];
    const char *rest = hol_model_error(model, 0);
    size_t length = 0;
    for (text[0] = '\0'; rest && *rest && length < sizeof text - 1;) {
        if (strncmp(rest, folder, strlen(folder)) == 0)
            rest += strlen(folder) + 1;
        else
            text[length++] = *rest++;
        text[length] = '\0';
    }
    return text;
}

static void files_are_loaded(void)
{
    REQUIRE(begin_with_files());
    write_file("model.yaml", "title: x\nbodies: {crank: {mass: 1}}\n");
    REQUIRE_OK(load("model.yaml"));
    CHECK_CONTAINS(hol_model_name(model), "holon-load-"); /* its folder */
    CHECK_STRING(text_at("bodies.crank.mass"), "1");
    CHECK_STRING(at("bodies")->place.file, path_of("model.yaml"));
    write_file("model.yaml", "");
    CHECK_STATUS(load("model.yaml"), HOL_BAD_INPUT);
    CHECK_STRING(first_error(), "model.yaml: the file is empty");
    CHECK_EQUAL_INT(model->root->count, 0);
    write_file("model.yaml", "a: 1\na: 2\n");
    CHECK_STATUS(load("model.yaml"), HOL_BAD_INPUT);
    CHECK_STRING(first_error(), "model.yaml:2:1: 'a' is given twice (first at line 1)");
    end_with_files();
}

static void files_that_cannot_be_loaded_are_named(void)
{
    REQUIRE(begin_with_files());
    CHECK_STATUS(load("none.yaml"), HOL_BAD_INPUT);
    CHECK_STRING(first_error(), "there is no file 'none.yaml'");
    CHECK_STATUS(load("inner"), HOL_BAD_INPUT);
    CHECK_STRING(first_error(), "'inner' is a folder, not a model file");
    CHECK_STATUS(hol_model_load(model, "nobody-calls-a-model-like-this"), HOL_BAD_INPUT);
    check_only_error(
        "'nobody-calls-a-model-like-this' is neither a file nor a built-in model; 'holon list models' lists these");
    CHECK_STATUS(hol_model_load(model, ""), HOL_BAD_INPUT);
    check_only_error("the name of a model is missing");
    write_file("model.yaml", "a: 1\n");
    CHECK(truncate(path_of("model.yaml"), (64 << 20) + 1) == 0);
    CHECK_STATUS(load("model.yaml"), HOL_BAD_INPUT);
    CHECK_STRING(first_error(), "'model.yaml' is larger than the limit of 64 MB; '--limit file=...MB' raises it");
    CHECK(truncate(path_of("model.yaml"), 1000) == 0);
    CHECK_STATUS(load("model.yaml"), HOL_BAD_INPUT);
    CHECK_STRING(first_error(), "model.yaml:2:1: the control character 0x00 is not allowed in a model");
    end_with_files();
}

/* A file without an end is refused before it is read. */
static void endless_files_are_refused(void)
{
    REQUIRE(begin());
    CHECK_STATUS(hol_model_load(model, "/dev/zero"), HOL_BAD_INPUT);
    check_only_error("'/dev/zero' is not a regular file or a pipe");
    end();
}

/* Extending */

static void a_file_extends_another_one(void)
{
    REQUIRE(begin_with_files());
    write_file("base.yaml",
               "title: base\ngravity: [0, -9.81]\nbodies:\n  crank: {mass: 1, inertia: 2}\n  rod: {mass: 3}\n");
    write_file("inner/a.yaml", "extends: ../base.yaml\ntitle: derived\ngravity: [0, 0, 1]\n"
                               "bodies: {crank: {mass: 10}, rod: ~, new: {mass: 4, inertia: ~}}\n");
    write_file("model.yaml", "extends: inner/a.yaml\nbodies: {new: {mass: 5}}\n");
    REQUIRE_OK(load("model.yaml"));
    CHECK_STRING(hol_model_title(model), "derived");
    CHECK_CONTAINS(hol_model_name(model), "holon-load-"); /* its folder */
    CHECK_EQUAL_INT(at("gravity")->count, 3);
    CHECK_STRING(text_at("bodies.crank.mass"), "10");
    CHECK_STRING(text_at("bodies.crank.inertia"), "2");
    CHECK(at("bodies.rod") == NULL && at("bodies.new.inertia") == NULL && at("extends") == NULL);
    CHECK_STRING(text_at("bodies.new.mass"), "5");
    CHECK_CONTAINS(at("bodies.crank.mass")->place.file, "inner/a.yaml");
    CHECK_CONTAINS(at("bodies.crank.inertia")->place.file, "base.yaml");
    CHECK_EQUAL_INT(at("bodies.crank.inertia")->place.line, 4);
    CHECK_CONTAINS(model->root->place.file, "model.yaml");
    end_with_files();
}

static const HolNode *entry_at(int index)
{
    const HolNode *entry = at("repeat")->first;
    while (entry && index-- > 0)
        entry = entry->next;
    return entry;
}

static const char *mass_of(int entry, const char *body)
{
    const HolNode *bodies = hol_node_find(entry_at(entry), "bodies");
    const HolNode *node = bodies ? hol_node_find(bodies, body) : NULL;
    const HolNode *mass = node ? hol_node_find(node, "mass") : NULL;
    return mass ? mass->text : NULL;
}

/* The same loop is merged key by key, others are added. */
static void repeated_parts_are_merged(void)
{
    REQUIRE(begin_with_files());
    write_file("base.yaml",
               "repeat:\n"
               "  - {for: i, from: 1, to: N, bodies: {link$i: {bar: [A, B], mass: 1}, ball$i: {mass: 5}}}\n"
               "  - {for: i, from: 2, to: N, joints: {pin$i: {revolute: 3}}}\n"
               "variants: {light: {repeat: [{for: i, from: 1, to: N, bodies: {link$i: {mass: 3}}}]}}\n");
    write_file("model.yaml", "extends: base.yaml\n"
                             "repeat:\n"
                             "  - {for: i, from: 1, to: N, bodies: {link$i: {mass: 2}, ball$i: ~}}\n"
                             "  - {for: i, from: 1, to: N, step: 2, bodies: {other$i: {mass: 7}}}\n");
    REQUIRE_OK(load("model.yaml"));
    CHECK_EQUAL_INT(at("repeat")->count, 3);
    CHECK_STRING(mass_of(0, "link$i"), "2");
    CHECK(hol_node_find(hol_node_find(hol_node_find(entry_at(0), "bodies"), "link$i"), "bar") != NULL);
    CHECK(hol_node_find(hol_node_find(entry_at(0), "bodies"), "ball$i") == NULL);
    CHECK(hol_node_find(entry_at(1), "joints") != NULL);
    CHECK_STRING(mass_of(2, "other$i"), "7");
    CHECK_OK(hol_model_choose(model, "light"));
    CHECK_EQUAL_INT(at("repeat")->count, 3);
    CHECK_STRING(mass_of(0, "link$i"), "3");
    write_file("model.yaml", "extends: base.yaml\nrepeat: ~\n");
    REQUIRE_OK(load("model.yaml"));
    CHECK(at("repeat") == NULL);
    end_with_files();
}

static void variants_are_merged_with_their_nulls(void)
{
    REQUIRE(begin_with_files());
    write_file("base.yaml", "bodies: {crank: {mass: 1, inertia: 2}}\n"
                            "variants: {heavy: {bodies: {crank: {mass: 10}}}, old: {title: x}, light: {title: y}}\n");
    write_file("model.yaml", "extends: base.yaml\nvariants:\n  heavy: {bodies: {crank: {inertia: ~}}}\n  old: ~\n"
                             "  new: {bodies: {crank: ~}}\n");
    REQUIRE_OK(load("model.yaml"));
    CHECK_EQUAL_INT(hol_model_variant_count(model), 3);
    CHECK_STRING(hol_model_variant(model, 1), "light");
    CHECK_OK(hol_model_choose(model, "heavy"));
    CHECK_STRING(text_at("bodies.crank.mass"), "10");
    CHECK(at("bodies.crank.inertia") == NULL);
    CHECK_OK(hol_model_choose(model, "new"));
    CHECK(at("bodies.crank") == NULL);
    CHECK_STATUS(hol_model_choose(model, "old"), HOL_BAD_INPUT);
    write_file("model.yaml", "extends: base.yaml\nvariants: ~\n");
    REQUIRE_OK(load("model.yaml"));
    CHECK_EQUAL_INT(hol_model_variant_count(model), 0);
    write_file("model.yaml", "extends: base.yaml\n");
    REQUIRE_OK(load("model.yaml"));
    CHECK_EQUAL_INT(hol_model_variant_count(model), 3);
    end_with_files();
}

static void circles_end(void)
{
    REQUIRE(begin_with_files());
    write_file("inner/a.yaml", "extends: ../inner/b.yaml\n");
    write_file("inner/b.yaml", "extends: ../inner/a.yaml\n");
    CHECK_STATUS(load("inner/a.yaml"), HOL_BAD_INPUT);
    CHECK_STRING(first_error(), "inner/../inner/b.yaml:1:10: files extend each other in a circle: "
                                "'inner/../inner/../inner/a.yaml' extends itself");
    CHECK_EQUAL_INT(hol_model_error_count(model), 1);
    write_file("inner/a.yaml", "title: self\nextends: a.yaml\n");
    CHECK_STATUS(load("inner/a.yaml"), HOL_BAD_INPUT);
    CHECK_CONTAINS(first_error(), "inner/a.yaml:2:10: files extend each other in a circle");
    CHECK_STRING(hol_model_title(model), "self");
    end_with_files();
}

static void long_chains_end(void)
{
    REQUIRE(begin_with_files());
    for (int i = 0; i < 20; i++) {
        char name[32], text[64];
        snprintf(name, sizeof name, "m%d.yaml", i);
        snprintf(text, sizeof text, "v%d: 1\n%s m%d.yaml\n", i, i ? "extends:" : "title:", i - 1);
        write_file(name, text);
    }
    CHECK_OK(load("m15.yaml"));
    CHECK_EQUAL_INT(model->root->count, 17);
    CHECK_STATUS(load("m16.yaml"), HOL_BAD_INPUT);
    CHECK_STRING(first_error(), "m1.yaml:2:10: more than 16 files extend each other");
    end_with_files();
}

static void wrong_bases_are_reported_where_they_are_named(void)
{
    REQUIRE(begin_with_files());
    write_file("model.yaml", "a: 1\nextends: none.yaml\n");
    CHECK_STATUS(load("model.yaml"), HOL_BAD_INPUT);
    CHECK_STRING(first_error(), "model.yaml:2:10: there is no file 'none.yaml'");
    CHECK_STRING(text_at("a"), "1");
    write_file("model.yaml", "extends: unlikely-name-of-a-model\n");
    CHECK_STATUS(load("model.yaml"), HOL_BAD_INPUT);
    CHECK_STRING(
        first_error(),
        "model.yaml:1:10: 'unlikely-name-of-a-model' is neither a file nor a built-in model; 'holon list models' lists these");
    write_file("model.yaml", "extends: [a, b]\n");
    CHECK_STATUS(load("model.yaml"), HOL_BAD_INPUT);
    CHECK_STRING(first_error(), "model.yaml:1:10: 'extends' is the name or path of one model, not a list");
    write_file("model.yaml", "extends: ''\n");
    CHECK_STATUS(load("model.yaml"), HOL_BAD_INPUT);
    CHECK_STRING(first_error(), "model.yaml:1:10: the name of a model is missing");
    write_file("model.yaml", "extends: ~\na: 1\n");
    CHECK_OK(load("model.yaml"));
    CHECK_EQUAL_INT(model->root->count, 1);
    end_with_files();
}

/* Mistakes of both files are found, each in its own place. */
static void mistakes_of_all_files_are_reported(void)
{
    REQUIRE(begin_with_files());
    write_file("base.yaml", "b: 1\nb: 2\n");
    write_file("model.yaml", "extends: base.yaml\na: 1\na: 2\n");
    CHECK_STATUS(load("model.yaml"), HOL_BAD_INPUT);
    CHECK_EQUAL_INT(hol_model_error_count(model), 2);
    CHECK_CONTAINS(hol_model_error(model, 0), "model.yaml:3:1: 'a' is given twice");
    CHECK_CONTAINS(hol_model_error(model, 1), "base.yaml:2:1: 'b' is given twice");
    CHECK_STRING(text_at("b"), "1");
    write_file("base.yaml", "b: [\n");
    CHECK_STATUS(load("model.yaml"), HOL_BAD_INPUT);
    CHECK_EQUAL_INT(hol_model_error_count(model), 2);
    CHECK_CONTAINS(hol_model_error(model, 1), "base.yaml:2:1: a value is expected here");
    end_with_files();
}

static void texts_extend_files(void)
{
    REQUIRE(begin_with_files());
    write_file("base.yaml", "a: 1\n");
    CHECK_OK(hol_model_parse(model, "extends: base.yaml\nb: 2\n", path_of("typed")));
    CHECK_STRING(text_at("a"), "1");
    end_with_files();
}

/* Built-in models */

static void built_in_models_are_sorted_and_load(void)
{
    int count = hol_library_count();
    CHECK(count >= 0);
    for (int i = 0; i < count; i++) {
        HolLibraryModel library = hol_library_model(i);
        CHECK_CONTEXT("%s", library.name);
        REQUIRE(begin());
        CHECK(i == 0 || strcmp(hol_library_model(i - 1).name, library.name) < 0);
        CHECK_OK(hol_model_load(model, library.name));
        CHECK_STRING(hol_model_name(model), library.name);
        CHECK_STRING(hol_model_title(model), library.title);
        CHECK_STRING(model->root->place.file, library.name);
        char wrong[100], sentence[300];
        snprintf(wrong, sizeof wrong, "%sq", library.name);
        snprintf(sentence, sizeof sentence, "'%s' is neither a file nor a built-in model (did you mean '%s'?)", wrong,
                 library.name);
        CHECK_STATUS(hol_model_load(model, wrong), HOL_BAD_INPUT);
        check_only_error(sentence);
        snprintf(wrong, sizeof wrong, "extends: %s\nplane: new", library.name);
        CHECK_OK(hol_model_parse(model, wrong, "text"));
        CHECK_STRING(hol_model_title(model), library.title);
        end();
    }
}

/* Setting */

static void values_are_set_by_path(void)
{
    REQUIRE(begin());
    CHECK_OK(hol_model_set(model, "points.A", "[%.17g, %.17g]", 0.1, 2.0));
    CHECK_OK(hol_model_set(model, "joints.pin", "{revolute: [ground, bar], at: %s}", "A"));
    CHECK_OK(hol_model_set(model, "title", "%s", "100%% new"));
    CHECK_OK(hol_model_set(model, "bodies", "\n  a: {mass: 1}\n  b:\n    mass: 2\n"));
    CHECK_STRING(at("points.A")->first->text, "0.10000000000000001");
    CHECK_STRING(text_at("joints.pin.at"), "A");
    CHECK_STRING(hol_model_title(model), "100%% new");
    CHECK_STRING(text_at("bodies.b.mass"), "2");
    CHECK_OK(hol_model_set(model, "bodies.a.mass", "%d", 3));
    CHECK_STRING(text_at("bodies.a.mass"), "3");
    CHECK_OK(hol_model_set(model, "bodies.a", "{density: 1}"));
    CHECK(at("bodies.a.mass") == NULL && at("bodies.b") != NULL);
    CHECK_OK(hol_model_set(model, "points.A.1", "7 mm"));
    CHECK_STRING(at("points.A")->last->text, "7 mm");
    CHECK_OK(hol_model_set(model, "bodies.b", "~"));
    CHECK(at("bodies.b") == NULL && at("bodies")->count == 1);
    CHECK_OK(hol_model_set(model, "points.A.0", "~"));
    CHECK_EQUAL_INT(at("points.A")->count, 1);
    CHECK_EQUAL_INT(hol_model_error_count(model) + hol_model_warning_count(model), 0);
    end();
}

static void values_that_are_set_have_the_path_as_place(void)
{
    REQUIRE(begin());
    char path[] = "bodies.crank";
    CHECK_OK(hol_model_set(model, path, "{mass: 1}"));
    memset(path, 'x', strlen(path));
    CHECK_STRING(at("bodies.crank.mass")->place.file, "--set bodies.crank");
    CHECK_EQUAL_INT(at("bodies.crank.mass")->place.line, 0);
    CHECK_STRING(at("bodies.crank.mass")->key_place.file, "--set bodies.crank");
    CHECK_STRING(at("bodies")->place.file, "--set bodies.crank");
    hol_error(model, at("bodies.crank.mass")->place, "too heavy");
    check_only_error("--set bodies.crank: too heavy");
    end();
}

static void methods_that_are_a_word_get_options(void)
{
    REQUIRE(begin());
    CHECK_OK(hol_model_parse(model, "run: {formulation: penalty, integrator: dopri5, coordinates: natural}", "x.yaml"));
    CHECK_OK(hol_model_set(model, "run.formulation.alpha", "1e9"));
    CHECK_OK(hol_model_set(model, "run.formulation.mu", "1"));
    CHECK_OK(hol_model_set(model, "run.integrator.tolerance", "1e-9"));
    CHECK_STRING(text_at("run.formulation.kind"), "penalty");
    CHECK_EQUAL_INT(at("run.formulation.kind")->place.column, 20);
    CHECK_STRING(text_at("run.formulation.alpha"), "1e9");
    CHECK_EQUAL_INT(at("run.formulation")->count, 3);
    CHECK_STRING(text_at("run.integrator.kind"), "dopri5");
    CHECK_STATUS(hol_model_set(model, "run.coordinates.x", "1"), HOL_BAD_INPUT);
    check_only_error("--set run.coordinates.x: 'run.coordinates' is a value, not a map");
    CHECK_OK(hol_model_parse(model, "run: {formulation: ~}\nbodies:\n", "x.yaml"));
    CHECK_OK(hol_model_set(model, "run.formulation.alpha", "1e9"));
    CHECK_OK(hol_model_set(model, "run.integrator.tolerance", "1e9"));
    CHECK_OK(hol_model_set(model, "bodies.crank.mass", "1"));
    CHECK_EQUAL_INT(at("run.formulation")->count, 1);
    CHECK_EQUAL_INT(at("run.integrator")->count, 1);
    CHECK_STRING(text_at("bodies.crank.mass"), "1");
    end();
}

static void removing_nothing_is_odd(void)
{
    REQUIRE(begin());
    CHECK_OK(hol_model_parse(model, "run: {formulation: penalty}\n", "x.yaml"));
    CHECK_OK(hol_model_set(model, "bodies.crank", "~"));
    CHECK_OK(hol_model_set(model, "run.formulation.alpha", "~"));
    CHECK(at("bodies") == NULL);
    CHECK_STRING(text_at("run.formulation"), "penalty");
    CHECK_EQUAL_INT(hol_model_warning_count(model), 2);
    CHECK_STRING(hol_model_warning(model, 0), "--set bodies.crank: there is nothing to remove");
    end();
}

typedef struct Refusal {
    const char *path, *value, *sentence;
} Refusal;

static const Refusal refusals[] = {
    {"", "1", "--set : the path '' has an empty part"},
    {".", "1", "--set .: the path '.' has an empty part"},
    {"a..b", "1", "--set a..b: the path 'a..b' has an empty part"},
    {"a.", "1", "--set a.: the path 'a.' has an empty part"},
    {"extends", "x", "--set extends: 'extends' cannot be set; it belongs into a file"},
    {"mass.x", "1", "--set mass.x: 'mass' is a value, not a map"},
    {"b.mass.x.y", "1", "--set b.mass.x.y: 'b.mass' is a value, not a map"},
    {"list.x", "1", "--set list.x: 'list' is a list; 'x' is not the number of an entry"},
    {"list.-1", "1", "--set list.-1: 'list' is a list; '-1' is not the number of an entry"},
    {"list.2", "1", "--set list.2: 'list' has 2 entries, counted from 0; there is no entry 2"},
    {"list.99999999999999999999", "1",
     "--set list.99999999999999999999: 'list' has 2 entries, counted from 0; there is no entry "
     "99999999999999999999"},
    {"list.0.x", "1", "--set list.0.x: 'list.0' is a value, not a map"},
    {"b.new", "", "--set b.new: no value is given (~ removes)"},
    {"b.new", "[1, 2", "--set b.new: the value '[1, 2' is not valid YAML: ',' or ']' is expected here"},
    {"b.new", "'x", "--set b.new: the value ''x' is not valid YAML: the quote that opens here is never closed"},
    {"b.new", "a: b: c", NULL},
    {"b.new", "{a: 1, a: 2}", "--set b.new: 'a' is given twice"},
    {"b.new", "*x", "--set b.new: anchors and aliases are not supported; use parameters or extends"},
    {"b.new", "[0123456789, 0123456789, 0123456789, 0123456789",
     "--set b.new: the value '[0123456789, 0123456789, 0123456789, 012...' is not valid YAML: ',' or ']' is expected "
     "here"},
    {"b.new", "1\n---\n2", "--set b.new: a second document begins here; a model is one document"},
};

static void wrong_settings_change_nothing(void)
{
    REQUIRE(begin());
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        CHECK_CONTEXT("%s = %s", refusals[i].path, refusals[i].value);
        REQUIRE_OK(hol_model_parse(model, "mass: 1\nb: {mass: 2}\nlist: [3, 4]\n", "x.yaml"));
        CHECK_STATUS(hol_model_set(model, refusals[i].path, "%s", refusals[i].value), HOL_BAD_INPUT);
        if (refusals[i].sentence)
            check_only_error(refusals[i].sentence);
        CHECK(model->root->count == 3 && at("b")->count == 1 && at("list")->count == 2);
        CHECK_STRING(text_at("mass"), "1");
    }
    end();
}

static void long_paths_are_refused(void)
{
    REQUIRE(begin());
    char path[100] = "a";
    for (int depth = 2; depth <= 40; depth++) {
        strcat(path, ".a");
        CHECK_STATUS(hol_model_set(model, path, "1"), depth == 2 ? HOL_OK : HOL_BAD_INPUT);
    }
    CHECK_CONTAINS(hol_model_error(model, hol_model_error_count(model) - 1), "the path has more than 32 parts");
    end();
}

/* A large model made by setting alone. */
static void many_settings_are_cheap(void)
{
    REQUIRE(begin());
    for (int i = 0; i < 3000; i++) {
        char path[64];
        snprintf(path, sizeof path, "bodies.crank%d", i);
        CHECK_OK(hol_model_set(model, path, "{bar: [A%d, B%d], mass: 1}", i, i));
    }
    CHECK_EQUAL_INT(at("bodies")->count, 3000);
    CHECK_STRING(text_at("bodies.crank2999.mass"), "1");
    CHECK(hol_arena_size(model->arena) < 3000 * 1500);
    end();
}

CHECK_MAIN(TEST(files_are_loaded), TEST(files_that_cannot_be_loaded_are_named), TEST(endless_files_are_refused),
           TEST(a_file_extends_another_one), TEST(repeated_parts_are_merged),
           TEST(variants_are_merged_with_their_nulls), TEST(circles_end), TEST(long_chains_end),
           TEST(wrong_bases_are_reported_where_they_are_named), TEST(mistakes_of_all_files_are_reported),
           TEST(texts_extend_files), TEST(built_in_models_are_sorted_and_load), TEST(values_are_set_by_path),
           TEST(values_that_are_set_have_the_path_as_place), TEST(methods_that_are_a_word_get_options),
           TEST(removing_nothing_is_odd), TEST(wrong_settings_change_nothing), TEST(long_paths_are_refused),
           TEST(many_settings_are_cheap))
