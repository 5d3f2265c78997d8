/// The short forms in which devices write the keys of discovery (Home Assistant's `mqtt` integration, "supported abbreviations"), for the
/// keys that are read here.
enum DiscoveryAbbreviations {
    /// Of a message and its components.
    static let message: [String: String] = [
        "av_tones": "available_tones", "avty": "availability", "avty_mode": "availability_mode",
        "avty_t": "availability_topic", "avty_tpl": "availability_template", "bri_cmd_t": "brightness_command_topic",
        "bri_cmd_tpl": "brightness_command_template", "bri_scl": "brightness_scale",
        "cmd_off_tpl": "command_off_template", "cmd_on_tpl": "command_on_template",
        "cmd_t": "command_topic", "curr_temp_t": "current_temperature_topic",
        "curr_temp_tpl": "current_temperature_template", "cmd_tpl": "command_template", "cmps": "components",
        "dev": "device",
        "dev_cla": "device_class", "ent_cat": "entity_category", "evt_typ": "event_types",
        "mode_stat_t": "mode_state_topic", "mode_stat_tpl": "mode_state_template", "pos": "reports_position",
        "temp_unit": "temperature_unit", "en": "enabled_by_default", "exp_aft": "expire_after",
        "img_e": "image_encoding",
        "img_t": "image_topic", "o": "origin", "obj_id": "object_id",
        "off_dly": "off_delay", "on_cmd_type": "on_command_type", "ops": "options", "p": "platform",
        "pct_cmd_t": "percentage_command_topic", "pct_cmd_tpl": "percentage_command_template",
        "pct_stat_t": "percentage_state_topic", "pct_val_tpl": "percentage_value_template",
        "pl_avail": "payload_available", "pl_cls": "payload_close", "pl_not_avail": "payload_not_available",
        "pl_off": "payload_off", "pl_on": "payload_on", "pl_open": "payload_open", "pl_prs": "payload_press",
        "pl_stop": "payload_stop", "pos_clsd": "position_closed", "pos_open": "position_open",
        "pos_t": "position_topic",
        "pos_tpl": "position_template", "rgb_cmd_t": "rgb_command_topic", "rgb_cmd_tpl": "rgb_command_template",
        "set_pos_t": "set_position_topic", "set_pos_tpl": "set_position_template", "spd_rng_max": "speed_range_max",
        "spd_rng_min": "speed_range_min", "stat_cla": "state_class", "stat_clsd": "state_closed",
        "stat_off": "state_off", "stat_on": "state_on", "stat_open": "state_open", "stat_t": "state_topic",
        "stat_tpl": "state_template", "stat_val_tpl": "state_value_template", "sup_clrm": "supported_color_modes",
        "sup_dur": "support_duration", "sup_vol": "support_volume_set", "t": "topic", "uniq_id": "unique_id",
        "unit_of_meas": "unit_of_measurement", "url_t": "url_topic", "val_tpl": "value_template",
    ]

    /// Of what is said of the device.
    static let device: [String: String] = [
        "cns": "connections", "ids": "identifiers", "mdl": "model", "mdl_id": "model_id", "mf": "manufacturer",
        "sa": "suggested_area",
    ]
}
